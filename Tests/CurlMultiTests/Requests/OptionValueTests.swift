import CCurl
import Testing

@testable import CurlMulti

@Suite("Option values")
struct OptionValueTests {
    @Test(
        "durations become whole milliseconds, rounded up and within libcurl's range",
        arguments: [
            (Duration.zero, 0), (.milliseconds(1), 1), (.microseconds(1), 1), (.seconds(2), 2_000),
            (.microseconds(1_500), 2), (.seconds(1_000_000_000), Int(Int32.max)), (.seconds(-1), 0),
        ]
    )
    func milliseconds(duration: Duration, expected: Int) {
        #expect(duration.milliseconds == expected)
    }

    @Test("the minimum and maximum TLS version share one number")
    func tls() {
        var options = TLSOptions()
        #expect(options.curlVersions == CURL_SSLVERSION_DEFAULT)
        options.minimumVersion = 0x0303
        #expect(options.curlVersions == CURL_SSLVERSION_TLSv1_2)
        options.maximumVersion = 0x0304
        #expect(options.curlVersions == CURL_SSLVERSION_TLSv1_2 | CURL_SSLVERSION_TLSv1_3 << 16)
    }

    @Test("an error code has libcurl's number and text")
    func codes() {
        #expect(CurlCode.cannotConnect.rawValue == 7)
        #expect(CurlCode.cannotConnect.description.contains("libcurl 7"))
    }
}
