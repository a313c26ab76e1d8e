import Foundation
import XCTest

@testable import RxFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class CurlCommandTests: XCTestCase {
    private func request(
        _ url: String, method: String? = nil, headers: [String: String] = [:], body: String? = nil
    ) -> URLRequest {
        var request = URLRequest(url: URL(string: url)!)
        if let method { request.httpMethod = method }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private func command(
        _ url: String, method: String? = nil, headers: [String: String] = [:], body: String? = nil
    ) -> String {
        CurlCommand(request(url, method: method, headers: headers, body: body)).text
    }

    /// Returns the arguments that a program receives when a shell runs the command.
    private func arguments(of command: String) throws -> [String] {
        let shell = Process()
        let output = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "curl() { for a in \"$@\"; do printf '%s\\0' \"$a\"; done; }; \(command)"]
        shell.standardOutput = output
        try shell.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }

    func testCommand_ofAGet_isMethodAndURL() {
        XCTAssertEqual(command("https://example.com/a?b=c"), "curl -X 'GET' 'https://example.com/a?b=c'")
    }

    func testCommand_ofAHead_doesNotWaitForABody() {
        XCTAssertEqual(command("https://example.com/", method: "HEAD"), "curl --head 'https://example.com/'")
    }

    func testCommand_ofHeaders_listsThemByName() {
        XCTAssertEqual(
            command("https://example.com/", headers: ["X-B": "2", "Accept": "text/plain", "X-Empty": ""]),
            "curl -X 'GET' 'https://example.com/' -H 'Accept: text/plain' -H 'X-B: 2' -H 'X-Empty;'")
    }

    func testCommand_ofBracketsInTheURL_tellsCurlThatTheyAreNoPattern() {
        XCTAssertEqual(command("http://[::1]:80/"), "curl -X 'GET' --globoff 'http://[::1]:80/'")
    }

    func testCommand_ofJSON_showsItAsItWasWritten() {
        XCTAssertEqual(
            command(
                "https://example.com/", method: "POST", headers: ["Content-Type": "application/json"],
                body: #"{ "b": [1.50], "a": "ü" }"#),
            "curl -X 'POST' 'https://example.com/' -H 'Content-Type: application/json' "
                + #"--data-raw '{ "b": [1.50], "a": "ü" }'"#
        )
    }

    func testCommand_ofABodyOfAnotherType_saysOnlyItsLength() {
        let hidden = "curl -X 'POST' 'https://example.com/' --data-binary @body  # The body of 6 bytes is not shown."
        XCTAssertEqual(command("https://example.com/", method: "POST", body: "secret"), hidden)
    }

    func testCommand_ofABodyOfOneByte_saysItsLengthInTheSingular() {
        let hidden = "curl -X 'POST' 'https://example.com/' --data-binary @body  # The body of 1 byte is not shown."
        XCTAssertEqual(command("https://example.com/", method: "POST", body: "x"), hidden)
    }

    func testCommand_ofABodyStream_saysSo() {
        var request = request("https://example.com/", method: "POST")
        request.httpBodyStream = InputStream(data: Data("secret".utf8))
        XCTAssertEqual(
            CurlCommand(request).text,
            "curl -X 'POST' 'https://example.com/' --data-binary @body  # The body is a stream, which is not shown.")
    }

    func testCommand_ofControlCharacters_doesNotPrintThem() {
        let form = ["Content-Type": "application/x-www-form-urlencoded"]
        XCTAssertEqual(
            command("https://example.com/", method: "POST", headers: form, body: "a=\u{1B}[2J"),
            "curl -X 'POST' 'https://example.com/' -H 'Content-Type: application/x-www-form-urlencoded' "
                + "--data-binary @body  # The body of 6 bytes is not shown.")
    }

    func testCommand_pastedIntoAShell_givesTheArgumentsThatWereMeant() throws {
        let nasty = #"it's "$HOME" `id` \ !! ; & | > * ~ #"# + "\n'"
        let json = String(decoding: try JSONEncoder().encode(["note": nasty]), as: UTF8.self)
        let text = command(
            "https://example.com/it's?q=$(id)&r=%27", method: "PO'ST",
            headers: ["Content-Type": "application/json", "X-Note": "it's `id` $HOME \\"], body: json)
        let url = try XCTUnwrap(URL(string: "https://example.com/it's?q=$(id)&r=%27")).absoluteString
        XCTAssertEqual(
            try arguments(of: text),
            [
                "-X", "PO'ST", url, "-H", "Content-Type: application/json", "-H", "X-Note: it's `id` $HOME \\",
                "--data-raw", json,
            ])
    }

    func testCommand_whoseBodyIsNotShown_canStillBePasted() throws {
        XCTAssertEqual(
            try arguments(of: command("https://example.com/", method: "POST", body: "secret")),
            ["-X", "POST", "https://example.com/", "--data-binary", "@body"])
    }

    // MARK: Credentials

    func testCommand_ofCredentialsInHeaders_masksThemInAnyCase() {
        let secrets = [
            "Authorization", "authorization", "PROXY-AUTHORIZATION", "Cookie", "Set-Cookie", "sEt-cOOkIe", "X-Api-Key",
            "ApiKey", "X-Auth-Token",
            "X-Amz-Security-Token", "X-CSRF-Token", "X-Session-ID", "X-Client-Secret", "X-Hub-Signature-256",
            "X-User-Password",
        ]
        for name in secrets {
            let text = command("https://example.com/", headers: [name: "s3cr3t"])
            XCTAssertFalse(text.contains("s3cr3t"), text)
            XCTAssertTrue(text.lowercased().contains("-h '\(name.lowercased()): ***'"), text)
        }
        for name in ["Accept", "User-Agent", "Content-Type", "Author", "Keep-Alive", "X-Keyboard", "Referer"] {
            XCTAssertTrue(command("https://example.com/", headers: [name: "plain"]).contains("plain"), name)
        }
    }

    func testCommand_ofAnAuthenticationSchemeInAHeaderOfAnyName_masksIt() {
        for value in ["Bearer s3cr3t", "basic s3cr3t", "NTLM s3cr3t"] {
            XCTAssertEqual(
                command("https://example.com/", headers: ["X-Upstream": value]),
                "curl -X 'GET' 'https://example.com/' -H 'X-Upstream: ***'")
        }
    }

    func testCommand_ofCredentialsInTheURL_masksThem() {
        XCTAssertEqual(
            command("https://ada:s3cr3t@example.com:8080/a"), "curl -X 'GET' 'https://***@example.com:8080/a'")
        XCTAssertEqual(command("https://s3cr3t@example.com/"), "curl -X 'GET' 'https://***@example.com/'")
        XCTAssertEqual(
            command(
                "https://example.com/a?page=2&api_key=s3cr3t&access%5Ftoken=s3cr3t&user%5Bpassword%5D=s3cr3t&flag"
                    + "#access_token=s3cr3t"
            ),
            "curl -X 'GET' 'https://example.com/a?page=2&api_key=***&access%5Ftoken=***&user%5Bpassword%5D=***&flag'")
    }

    func testCommand_ofAURLInAHeader_masksItAsAURL() {
        XCTAssertEqual(
            command("https://example.com/", headers: ["Referer": "https://ada:s3cr3t@example.com/?token=s3cr3t"]),
            "curl -X 'GET' 'https://example.com/' -H 'Referer: https://***@example.com/?token=***'")
    }

    func testCommand_ofCredentialsInAForm_masksThem() {
        XCTAssertEqual(
            command(
                "https://example.com/", method: "POST",
                headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
                body: "user=ada&password=s3cr3t&grant_type=x&client_secret=s3cr3t"),
            "curl -X 'POST' 'https://example.com/' -H 'Content-Type: application/x-www-form-urlencoded; charset=utf-8' "
                + "--data-raw 'user=ada&password=***&grant_type=x&client_secret=***'")
    }

    func testCommand_ofCredentialsInJSON_masksThemAtAnyDepth() {
        XCTAssertEqual(
            command(
                "https://example.com/", method: "POST", headers: ["Content-Type": "application/vnd.api+json"],
                body: #"{"user":"ada","login":[{"Password":"s3cr3t"},{"tokens":["s3cr3t"]}]}"#),
            "curl -X 'POST' 'https://example.com/' -H 'Content-Type: application/vnd.api+json' "
                + #"--data-raw '{"login":[{"Password":"***"},{"tokens":"***"}],"user":"ada"}'"#)
    }

    func testCommand_ofMalformedJSON_doesNotShowIt() {
        XCTAssertFalse(
            command(
                "https://example.com/", method: "POST", headers: ["Content-Type": "application/json"],
                body: #"{"password":"s3cr3t""#
            ).contains("s3cr3t"))
    }
}
