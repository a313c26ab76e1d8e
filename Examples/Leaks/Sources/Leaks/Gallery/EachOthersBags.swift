import Rx

extension PlantedLeak {
    static let eachOthersBags = PlantedLeak(
        "each-others-bags",
        mistake: "Two objects subscribe to each other, and what each keeps in its bag captures the other strongly.",
        remedy: "Capture the other object weakly in one of the two closures.",
        grade: .proven,
        names: ["Editor: .bag", "Preview: .bag", "closure in Editor.show(_:)", "closure in Preview.follow(_:leaking:)"]
    ) { leaking in
        let editor = Editor()
        let preview = Preview()
        editor.show(preview)
        preview.follow(editor, leaking: leaking)
        editor.text.onNext("# Title")
        preview.scrolled.onNext(40)
    }
}

private final class Editor {
    let text = PublishSubject<String>()
    var shown = ""
    let bag = DisposeBag()

    func show(_ preview: Preview) {
        text.map(\.count).subscribe(onNext: { preview.length = $0 }).disposed(by: bag)
    }
}

private final class Preview {
    let scrolled = PublishSubject<Int>()
    var length = 0
    let bag = DisposeBag()

    func follow(_ editor: Editor, leaking: Bool) {
        if leaking {
            scrolled.map { "line \($0)" }.subscribe(onNext: { editor.shown = $0 }).disposed(by: bag)
        } else {
            scrolled.map { "line \($0)" }.subscribe(onNext: { [weak editor] in editor?.shown = $0 }).disposed(by: bag)
        }
    }
}
