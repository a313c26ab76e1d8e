/// Debug information of two small libraries, as linked, and where each instruction was written.
///
/// The C library is `Tests/CPlatformTests/Sources`, compiled with `-O1 -ffunction-sections -fdebug-compilation-dir=/project` and linked with
/// `--gc-sections`, once for each version; the Swift one is four lines. What is expected is what llvm-symbolizer says of each address.
struct LineFixture: Sendable, CustomStringConvertible {
    let description: String
    /// The sections' bytes by the names of `rx_line_sections`, in base64.
    let sections: [String: String]
    /// A stretch of code; its functions and places, the innermost first.
    let expected: [(addresses: Range<UInt64>, text: String)]

    static let all = [old, four, five, swift]

    static let old = LineFixture(
        description: "C, DWARF 2",
        sections: [
            "line": """
                jgAAAAIALQAAAAEB+w4NAAEBAQEAAAABAAABc3JjAABpbm5lci5oAAEAAG91dGVyLmMAAQAAAAUSCgAJAhADAAAAAAAAEwUMSwQCBRNLBAEFEjoEAgUJTFAFBTsCAQABAQ
                QCBRUKAAkCMAMAAAAAAAADDAECAQABAQQCAAkCAAAAAAAAAAADDgEFPAouAgEAAQF1AAAAAgAtAAAAAQH7Dg0AAQEBAQAAAAEAAAEuL3NyYwAAaW5uZXIuaAABAAB0b3Au
                YwAAAAAABRIKAAkCQAMAAAAAAAATBQxLBAIFE0sEAQUSOgQCBQlMUAUFOwIBAAEBBAIFGgoACQJgAwAAAAAAAAMMAQIBAAEB
                """,
            "str": """
                Y2xhbmcgdmVyc2lvbiAyMS4wLjAgKGh0dHBzOi8vZ2l0aHViLmNvbS9zd2lmdGxhbmcvbGx2bS1wcm9qZWN0LmdpdCAxMTY3M2U2NjYwYjJkMGE1ZjlmOTliMWM3Yjc3M2
                Y0YzJmNmRmMWIwKQBzcmMvb3V0ZXIuYwAvcHJvamVjdAB0d2ljZQBpbnQAeAB5AGZvdXJmb2xkAHN1bQBub3RoaW5nAGRyb3BwZWQAYQB0b3AuYwBzdW1PblRvcABub3Ro
                aW5nT25Ub3AA
                """,
            "info": """
                YgEAAAIAAAAAAAgBAAAAAB0AbgAAAAAAAAB6AAAAAAAAAAAAAAAAAAAAAoMAAAABAQFOAAAAAQONAAAAAQFOAAAABI8AAAABAlUAAAAABYkAAAAFBAZOAAAAApEAAAACAg
                FOAAAAAQONAAAAAgJOAAAAAAcQAwAAAAAAACcDAAAAAAAAAVeaAAAAAgcBTgAAAAEIAVWNAAAAAgdOAAAABK4AAAACCE4AAAAJWgAAABADAAAAAAAAIwMAAAAAAAACCA0K
                AVVnAAAACSoAAAAQAwAAAAAAABgDAAAAAAAAAgMMCgFVNwAAAAsCkXxCAAAAAAkqAAAAGwMAAAAAAAAfAwAAAAAAAAIECwoBUjcAAAALApF4QgAAAAAAAAwwAwAAAAAAAD
                EDAAAAAAAAAVeeAAAAAg0BAQcAAAAAAAAAAAMAAAAAAAAAAVemAAAAAg8BTgAAAAENAAAAAI0AAAACD04AAAAAADMBAAACAL4AAAAIAQAAAAAdALAAAACSAAAAegAAAAAA
                AAAAAAAAQAAAAAKDAAAAAQEBTgAAAAEDjQAAAAEBTgAAAASPAAAAAQJVAAAAAAWJAAAABQQGTgAAAAKRAAAAAgIBTgAAAAEDjQAAAAICTgAAAAAHQAMAAAAAAABXAwAAAA
                AAAAFXtgAAAAIHAU4AAAABCAFVjQAAAAIHTgAAAASuAAAAAghOAAAACVoAAABAAwAAAAAAAFMDAAAAAAAAAggNCgFVZwAAAAkqAAAAQAMAAAAAAABIAwAAAAAAAAIDDAoB
                VTcAAAALApF8QgAAAAAJKgAAAEsDAAAAAAAATwMAAAAAAAACBAsKAVI3AAAACwKReEIAAAAAAAAMYAMAAAAAAABhAwAAAAAAAAFXvwAAAAINAQEA
                """,
            "abbrev": """
                AREBJQ4TBQMOEAYbDhEBVQYAAAIuAQMOOgs7CycMSRMgCwAAAwUAAw46CzsLSRMAAAQ0AAMOOgs7C0kTAAAFJAADDj4LCwsAAAY1AEkTAAAHLgERARIBQAoDDjoLOwsnDE
                kTPwwAAAgFAAIKAw46CzsLSRMAAAkdATETEQESAVgLWQtXCwAACgUAAgoxEwAACzQAAgoxEwAADC4AEQESAUAKAw46CzsLJww/DAAADQUAAgYDDjoLOwtJEwAAAAERASUO
                EwUDDhAGGw4RAVUGAAACLgEDDjoLOwsnDEkTIAsAAAMFAAMOOgs7C0kTAAAENAADDjoLOwtJEwAABSQAAw4+CwsLAAAGNQBJEwAABy4BEQESAUAKAw46CzsLJwxJEz8MAA
                AIBQACCgMOOgs7C0kTAAAJHQExExEBEgFYC1kLVwsAAAoFAAIKMRMAAAs0AAIKMRMAAAwuABEBEgFACgMOOgs7CycMPwwAAAA=
                """,
            "ranges": """
                EAMAAAAAAAAnAwAAAAAAADADAAAAAAAAMQMAAAAAAAAAAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEADAAAAAAAAVwMAAAAAAABgAwAAAAAAAGEDAAAAAAAAAA
                AAAAAAAAAAAAAAAAAAAA==
                """,
        ],
        expected: ofC)

    static let four = LineFixture(
        description: "C, DWARF 4",
        sections: [
            "line": """
                jwAAAAQALgAAAAEBAfsODQABAQEBAAAAAQAAAXNyYwAAaW5uZXIuaAABAABvdXRlci5jAAEAAAAFEgoACQIQAwAAAAAAABMFDEsEAgUTSwQBBRI6BAIFCUxQBQU7AgEAAQ
                EEAgUVCgAJAjADAAAAAAAAAwwBAgEAAQEEAgAJAgAAAAAAAAAAAw4BBTwKLgIBAAEBdgAAAAQALgAAAAEBAfsODQABAQEBAAAAAQAAAS4vc3JjAABpbm5lci5oAAEAAHRv
                cC5jAAAAAAAFEgoACQJAAwAAAAAAABMFDEsEAgUTSwQBBRI6BAIFCUxQBQU7AgEAAQEEAgUaCgAJAmADAAAAAAAAAwwBAgEAAQE=
                """,
            "str": """
                Y2xhbmcgdmVyc2lvbiAyMS4wLjAgKGh0dHBzOi8vZ2l0aHViLmNvbS9zd2lmdGxhbmcvbGx2bS1wcm9qZWN0LmdpdCAxMTY3M2U2NjYwYjJkMGE1ZjlmOTliMWM3Yjc3M2
                Y0YzJmNmRmMWIwKQBzcmMvb3V0ZXIuYwAvcHJvamVjdAB0d2ljZQBpbnQAeAB5AGZvdXJmb2xkAHN1bQBub3RoaW5nAGRyb3BwZWQAYQB0b3AuYwBzdW1PblRvcABub3Ro
                aW5nT25Ub3AA
                """,
            "info": """
                QgEAAAQAAAAAAAgBAAAAAB0AbgAAAAAAAAB6AAAAAAAAAAAAAAAAAAAAAoMAAAABAU0AAAABA40AAAABAU0AAAAEjwAAAAECVAAAAAAFiQAAAAUEBk0AAAACkQAAAAICTQ
                AAAAEDjQAAAAICTQAAAAAHEAMAAAAAAAAXAAAAAVeaAAAAAgdNAAAACAFVjQAAAAIHTQAAAASuAAAAAghNAAAACVkAAAAQAwAAAAAAABMAAAACCA0KAVVlAAAACSoAAAAQ
                AwAAAAAAAAgAAAACAwwKAVU2AAAACwKRfEEAAAAACSoAAAAbAwAAAAAAAAQAAAACBAsKAVI2AAAACwKReEEAAAAAAAAMMAMAAAAAAAABAAAAAVeeAAAAAg0HAAAAAAAAAA
                ADAAAAAVemAAAAAg9NAAAADQAAAACNAAAAAg9NAAAAAAAZAQAABADEAAAACAEAAAAAHQCwAAAAkwAAAHoAAAAAAAAAAAAAAEAAAAACgwAAAAEBTQAAAAEDjQAAAAEBTQAA
                AASPAAAAAQJUAAAAAAWJAAAABQQGTQAAAAKRAAAAAgJNAAAAAQONAAAAAgJNAAAAAAdAAwAAAAAAABcAAAABV7YAAAACB00AAAAIAVWNAAAAAgdNAAAABK4AAAACCE0AAA
                AJWQAAAEADAAAAAAAAEwAAAAIIDQoBVWUAAAAJKgAAAEADAAAAAAAACAAAAAIDDAoBVTYAAAALApF8QQAAAAAJKgAAAEsDAAAAAAAABAAAAAIECwoBUjYAAAALApF4QQAA
                AAAAAAxgAwAAAAAAAAEAAAABV78AAAACDQA=
                """,
            "abbrev": """
                AREBJQ4TBQMOEBcbDhEBVRcAAAIuAQMOOgs7CycZSRMgCwAAAwUAAw46CzsLSRMAAAQ0AAMOOgs7C0kTAAAFJAADDj4LCwsAAAY1AEkTAAAHLgERARIGQBiXQhkDDjoLOw
                snGUkTPxkAAAgFAAIYAw46CzsLSRMAAAkdATETEQESBlgLWQtXCwAACgUAAhgxEwAACzQAAhgxEwAADC4AEQESBkAYl0IZAw46CzsLJxk/GQAADQUAAhcDDjoLOwtJEwAA
                AAERASUOEwUDDhAXGw4RAVUXAAACLgEDDjoLOwsnGUkTIAsAAAMFAAMOOgs7C0kTAAAENAADDjoLOwtJEwAABSQAAw4+CwsLAAAGNQBJEwAABy4BEQESBkAYl0IZAw46Cz
                sLJxlJEz8ZAAAIBQACGAMOOgs7C0kTAAAJHQExExEBEgZYC1kLVwsAAAoFAAIYMRMAAAs0AAIYMRMAAAwuABEBEgZAGJdCGQMOOgs7CycZPxkAAAA=
                """,
            "ranges": """
                EAMAAAAAAAAnAwAAAAAAADADAAAAAAAAMQMAAAAAAAAAAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEADAAAAAAAAVwMAAAAAAABgAwAAAAAAAGEDAAAAAAAAAA
                AAAAAAAAAAAAAAAAAAAA==
                """,
        ],
        expected: ofC)

    static let five = LineFixture(
        description: "C, DWARF 5",
        sections: [
            "line": """
                swAAAAUACABQAAAAAQEB+w4NAAEBAQEAAAABAAABAQEfAgAAAAAJAAAAAwEfAg8FHgINAAAAAF1EX9BgJd4kV/QsPGNwHPUZAAAAAeLR2UqdwpYnhrarkpUKCU4FEgoACQ
                IQAwAAAAAAABMFDEsEAAUTSwQBBRI6BAAFCUxQBQU7AgEAAQEEAAUVCgAJAjADAAAAAAAAAwwBAgEAAQEEAAAJAgAAAAAAAAAAAw4BBTwKLgIBAAEBmgAAAAUACABQAAAA
                AQEB+w4NAAEBAQEAAAABAAABAQEfAgAAAAAhAAAAAwEfAg8FHgInAAAAAMFbDbryXeSVgwgtxLZITEAZAAAAAeLR2UqdwpYnhrarkpUKCU4FEgoACQJAAwAAAAAAABMFDE
                sEAAUTSwQBBRI6BAAFCUxQBQU7AgEAAQEEAAUaCgAJAmADAAAAAAAAAwwBAgEAAQE=
                """,
            "lineStr": """
                L3Byb2plY3QAc3JjAHNyYy9vdXRlci5jAGlubmVyLmgALi9zcmMAdG9wLmMA
                """,
            "str": """
                Y2xhbmcgdmVyc2lvbiAyMS4wLjAgKGh0dHBzOi8vZ2l0aHViLmNvbS9zd2lmdGxhbmcvbGx2bS1wcm9qZWN0LmdpdCAxMTY3M2U2NjYwYjJkMGE1ZjlmOTliMWM3Yjc3M2
                Y0YzJmNmRmMWIwKQBzcmMvb3V0ZXIuYwAvcHJvamVjdAB0d2ljZQBpbnQAeAB5AGZvdXJmb2xkAHN1bQBub3RoaW5nAGRyb3BwZWQAYQB0b3AuYwBzdW1PblRvcABub3Ro
                aW5nT25Ub3AA
                """,
            "info": """
                9AAAAAUAAQgAAAAAAQAdAAEIAAAAAAAAAAIAAAAAAAAAAAAIAAAADAAAAAwAAAACAwEBSAAAAAMFAQFIAAAABAYBAkwAAAAABQQFBAZIAAAAAgcAAkgAAAADBQACSAAAAA
                AHABcAAAABVwgAB0gAAAAIAVUFAAdIAAAABAsACEgAAAAJUQAAAAATAAAAAAgNCgFVWQAAAAkvAAAAAAgAAAAAAwwKAVU3AAAACwKRfD8AAAAACS8AAAABBAAAAAAECwoB
                UjcAAAALApF4PwAAAAAAAAwCAQAAAAFXCQANBwMDAAAAAVcKAA9IAAAADQAFAA9IAAAAAADXAAAABQABCMwAAAABAB0AAUAAAAC3AAAAAgAAAAAAAAAAADAAAAAmAAAAAg
                MBAUQAAAADBQEBRAAAAAQGAQJIAAAAAAUEBQQGRAAAAAIHAAJEAAAAAwUAAkQAAAAABwAXAAAAAVcIAAdEAAAACAFVBQAHRAAAAAQKAAhEAAAACU0AAAAAEwAAAAAIDQoB
                VVUAAAAJKwAAAAAIAAAAAAMMCgFVMwAAAAsCkXw7AAAAAAkrAAAAAQQAAAAABAsKAVIzAAAACwKReDsAAAAAAAAMAgEAAAABVwkADQA=
                """,
            "abbrev": """
                AREBJSUTBQMlchcQFxslEQFVI3MXdBeMARcAAAIuAQMlOgs7CycZSRMgIQEAAAMFAAMlOgs7C0kTAAAENAADJToLOwtJEwAABSQAAyU+CwsLAAAGNQBJEwAABy4BERsSBk
                AYehkDJToLOwsnGUkTPxkAAAgFAAIYAyU6CzsLSRMAAAkdATETERsSBlgLWQtXCwAACgUAAhgxEwAACzQAAhgxEwAADC4AERsSBkAYehkDJToLOwsnGT8ZAAANBQACIgMl
                Ogs7C0kTAAAAAREBJSUTBQMlchcQFxslEQFVI3MXdBcAAAIuAQMlOgs7CycZSRMgIQEAAAMFAAMlOgs7C0kTAAAENAADJToLOwtJEwAABSQAAyU+CwsLAAAGNQBJEwAABy
                4BERsSBkAYehkDJToLOwsnGUkTPxkAAAgFAAIYAyU6CzsLSRMAAAkdATETERsSBlgLWQtXCwAACgUAAhgxEwAACzQAAhgxEwAADC4AERsSBkAYehkDJToLOwsnGT8ZAAAA
                """,
            "strOffsets": """
                NAAAAAUAAAAAAAAAbgAAAHoAAACDAAAAiQAAAI0AAACPAAAAkQAAAJoAAACeAAAApgAAAK4AAAAwAAAABQAAAAAAAACwAAAAegAAAIMAAACJAAAAjQAAAI8AAACRAAAAtg
                AAAL8AAACuAAAA
                """,
            "addr": """
                JAAAAAUACAAQAwAAAAAAABsDAAAAAAAAMAMAAAAAAAAAAAAAAAAAABwAAAAFAAgAQAMAAAAAAABLAwAAAAAAAGADAAAAAAAA
                """,
            "rnglists": """
                FgAAAAUACAABAAAABAAAAAMAFwMCAQMDAwATAAAABQAIAAEAAAAEAAAAAwAXAwIBAA==
                """,
        ],
        expected: ofC)

    static let swift = LineFixture(
        description: "Swift",
        sections: [
            "line": """
                aQAAAAQAHwAAAAEBAfsODQABAQEBAAAAAQAAAQB0LnN3aWZ0AAAAAAAFLwoACQJwCQAAAAAAAAEFNAZKBQAGuwUxCiAFOQZYBT4LPAICAAEBAAkCkAkAAAAAAAAUBTEKHw
                UOWgUBC4MCAgABARoAAAAEABQAAAABAQH7Dg0AAQEBAQAAAAEAAAEAAA==
                """,
            "str": """
                U3dpZnQgdmVyc2lvbiA2LjMuMSAoc3dpZnQtNi4zLjEtUkVMRUFTRSkAdC5zd2lmdAAvcHJvamVjdABzAG5leHQAJHMxczRuZXh0eVMyaUYAdHdpY2UAJHMxczV0d2ljZX
                lTMmlGAFN3aWZ0AC9vcHQvc3dpZnQvdXNyL2xpYi9zd2lmdC9saW51eC9Td2lmdC5zd2lmdG1vZHVsZS94ODZfNjQtdW5rbm93bi1saW51eC1nbnUuc3dpZnRtb2R1bGUA
                SW50ACRzU2lEAHgAc3VtAF9TdHJpbmdQcm9jZXNzaW5nAC9vcHQvc3dpZnQvdXNyL2xpYi9zd2lmdC9saW51eC9fU3RyaW5nUHJvY2Vzc2luZy5zd2lmdG1vZHVsZS94OD
                ZfNjQtdW5rbm93bi1saW51eC1nbnUuc3dpZnRtb2R1bGUAX1N3aWZ0Q29uY3VycmVuY3lTaGltcwAvb3B0L3N3aWZ0L3Vzci9saWIvc3dpZnQvc2hpbXMAX0NvbmN1cnJl
                bmN5AC9vcHQvc3dpZnQvdXNyL2xpYi9zd2lmdC9saW51eC9fQ29uY3VycmVuY3kuc3dpZnRtb2R1bGUveDg2XzY0LXVua25vd24tbGludXgtZ251LnN3aWZ0bW9kdWxlAC
                9yb290Ly5jYWNoZS9jbGFuZy9Nb2R1bGVDYWNoZS81RlU2NlowSUZXVjAvX1N3aWZ0Q29uY3VycmVuY3lTaGltcy0yV1RFWlNHMVdFS1FQLnBjbQA=
                """,
            "info": """
                KQEAAAQAAAAAAAgBAAAAAB4AKgAAAAAAAAAyAAAABgAAAAAAAAAAAAAAAAI7AAAAA3AJAAAAAAAABQAAAAFXQgAAAD0AAAABAecAAAAEAVXNAAAAAQHzAAAAAAWACQAAAA
                AAAAsAAAABV3gAAAAGAAAAAIgAAAAAB1cAAABRAAAAAQLnAAAAAQjNAAAAAQLzAAAAAAOQCQAAAAAAABAAAAABV88AAADPAAAAAQPnAAAACUkAAADNAAAAAQPzAAAACngA
                AACRCQAAAAAAAAUAAAABBAULAVWIAAAAAAAADGcAAABtAAAADcMAAADHAAAACB4ADucAAAAPKwAAAA/eAAAAENMAAADlAAAADwIBAAAQRwEAAF4BAAAPEAEAABB9AQAAig
                EAAA8eAQAAACYAAAAEAAAAAAAIEQAAAAAMAEcBAABtAAAAXgEAAKK5y+QcQZww5wEAAA==
                """,
            "abbrev": """
                AREBJQ4TBQMOEBcbDuF/GeV/CxEBVRcAAAIeAQMOAAADLgERARIG538ZQBhuDgMOOgs7C0kTPxnhfxkAAAQFAAIYAw46CzsLSRMAAAUuAREBEgbnfxlAGDETAAAGBQACFz
                ETAAAHLgFuDgMOOgs7C0kTPxnhfxkgCwAACAUAAw46CzsLSRMAAAkFAAIXAw46CzsLSRMAAAodATETEQESBlgLWQtXCwAACwUAAhgxEwAADB4BAw6AfA4AAA0TAAMObg4L
                C+Z/CwAADiYASRMAAA86ABgTAAAQHgADDoB8DgAAEREAJQ4TBQMOEBcbDuF/GbFCB7BCDgAAAA==
                """,
            "ranges": """
                cAkAAAAAAACLCQAAAAAAAJAJAAAAAAAAoAkAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
                """,
        ],
        expected: [
            (0x970..<0x975, "$s1s4nextyS2iF /project/t.swift:1"),
            (0x980..<0x98b, "$s1s5twiceyS2iF /project/t.swift:2"),
            (0x990..<0x991, "sum /project/t.swift:3"),
            (0x991..<0x996, "$s1s5twiceyS2iF /project/t.swift:2 < sum /project/t.swift:4"),
            (0x996..<0x99e, "sum /project/t.swift:4"),
            (0x99e..<0x9a0, "sum /project/t.swift:5"),
        ])

    private static let ofC: [(addresses: Range<UInt64>, text: String)] = [
        (0x310..<0x314, "twice /project/src/inner.h:2 < fourfold /project/src/outer.c:3 < sum /project/src/outer.c:8"),
        (0x314..<0x318, "twice /project/src/inner.h:3 < fourfold /project/src/outer.c:3 < sum /project/src/outer.c:8"),
        (0x318..<0x31b, "fourfold /project/src/outer.c:4 < sum /project/src/outer.c:8"),
        (0x31b..<0x31f, "twice /project/src/inner.h:2 < fourfold /project/src/outer.c:4 < sum /project/src/outer.c:8"),
        (0x31f..<0x323, "fourfold /project/src/outer.c:4 < sum /project/src/outer.c:8"),
        (0x323..<0x326, "sum /project/src/outer.c:10"),
        (0x326..<0x327, "sum /project/src/outer.c:9"),
        (0x330..<0x331, "nothing /project/src/outer.c:13"),
        (0x340..<0x344, "twice /project/./src/inner.h:2 < fourfold /project/top.c:3 < sumOnTop /project/top.c:8"),
        (0x344..<0x348, "twice /project/./src/inner.h:3 < fourfold /project/top.c:3 < sumOnTop /project/top.c:8"),
        (0x348..<0x34b, "fourfold /project/top.c:4 < sumOnTop /project/top.c:8"),
        (0x34b..<0x34f, "twice /project/./src/inner.h:2 < fourfold /project/top.c:4 < sumOnTop /project/top.c:8"),
        (0x34f..<0x353, "fourfold /project/top.c:4 < sumOnTop /project/top.c:8"),
        (0x353..<0x356, "sumOnTop /project/top.c:10"),
        (0x356..<0x357, "sumOnTop /project/top.c:9"),
        (0x360..<0x361, "nothingOnTop /project/top.c:13"),
    ]
}
