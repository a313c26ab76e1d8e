import OpenCombine

extension PublishedLeak {
    /// A common report about `assign(to:on:)` of Combine: it retains its target, so that a subscription that `self`
    /// keeps retains `self`. The published mend is a sink that captures `self` weakly.
    static let assignToSelf = PublishedLeak(
        name: "assign-to-self",
        expected: Expectation(
            "LoginViewModel", heldBy: "LoginViewModel.cancellables",
            change: "LoginViewModel.bind()", "Assign<LoginViewModel, Bool>.object"),
        innocents: { count in
            (0..<count).map { _ in
                let model = LoginViewModel(form: LoginForm())
                model.bindWeakly()
                return model
            }
        },
        leaky: .synchronous {
            let form = LoginForm()
            let model = LoginViewModel(form: form)
            model.bind()
            form.password.send("correct horse")
        },
        fixed: .synchronous {
            let form = LoginForm()
            let model = LoginViewModel(form: form)
            model.bindWeakly()
            form.password.send("correct horse")
        })
}

private final class LoginForm {
    let password = CurrentValueSubject<String, Never>("")
}

private final class LoginViewModel {
    var canSubmit = false
    private let form: LoginForm
    private var cancellables = Set<AnyCancellable>()

    init(form: LoginForm) { self.form = form }

    func bind() {
        form.password
            .map { password in password.count > 8 }
            .removeDuplicates()
            .assign(to: \.canSubmit, on: self)
            .store(in: &cancellables)
    }

    func bindWeakly() {
        form.password
            .map { password in password.count > 8 }
            .removeDuplicates()
            .sink { [weak self] canSubmit in self?.canSubmit = canSubmit }
            .store(in: &cancellables)
    }
}
