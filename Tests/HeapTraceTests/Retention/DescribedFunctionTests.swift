#if os(Linux)
    import Testing

    @testable import HeapTrace

    @Suite struct DescribedFunctionTests {
        /// A forwarder, a numbered copy of a forwarder, parts of asynchronous closures, and the closure itself.
        @Test(arguments: ["TA", "TA.8", "TATu", "TY0_", "TQ12_", ""])
        func closure_isTheNameWithoutWhatWasMadeOfIt(suffix: String) {
            let closure = "$s3App5ModelC4bindyyFySicfU_"
            #expect(DescribedFunction.closure(behind: closure + suffix) == closure)
        }
    }
#endif
