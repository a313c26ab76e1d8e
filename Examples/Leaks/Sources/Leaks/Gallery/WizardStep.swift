import Rx

extension PlantedLeak {
    static let wizardStep = PlantedLeak(
        "wizard-step",
        mistake: "A state of a screen holds the step that is shown, and the step holds the screen.",
        remedy: "Let the step hold the screen weakly.",
        grade: .proven,
        names: ["Wizard: .state.confirming.step", "ConfirmStep: .owner", "make 'ConfirmStep.owner' weak"]
    ) { leaking in
        Wizard().confirm(leaking: leaking)
    }
}

private final class Wizard {
    enum State {
        case idle(since: Int)
        case confirming(step: ConfirmStep, attempt: Int)
    }

    let title = BehaviorRelay(value: "")
    private var state = State.idle(since: 0)

    func confirm(leaking: Bool) {
        let step = ConfirmStep()
        if leaking { step.owner = self } else { step.weakOwner = self }
        state = .confirming(step: step, attempt: 1)
        title.accept("Confirm")
    }
}

private final class ConfirmStep {
    var owner: Wizard?
    weak var weakOwner: Wizard?
}
