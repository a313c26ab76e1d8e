#if TRACE_RESOURCES
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Writes a report of what is alive to standard error, when the process exits and `RX_TRACE` asks for it.
    ///
    /// Called once by the core, in `exit`: it takes the place of a weak function that says that this module is missing.
    ///
    /// - Parameter code: how the process ends if a resource is alive; 0: as it would anyway.
    @_cdecl("rx_exit_report")
    func writeExitReport(_ code: Int32) {
        let report = ProcessReport(number: ReportSignals.shared.takeNumber())
        let decidesCode = code != 0 && (report.resources.total ?? 0) > 0
        let ending =
            decidesCode ? "Resources are alive at exit: the process ends with code \(code), as RX_TRACE asks.\n" : ""
        let text = Array("\(report)\n\(ending)".utf8)
        var written = 0
        while written < text.count {
            let count = text[written...].withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { break }
            written += max(0, count)
        }
        guard decidesCode else { return }
        // Without the handlers that were registered before this one; what is buffered is written.
        fflush(nil)
        _exit(code)
    }
#endif
