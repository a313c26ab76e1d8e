import Foundation
import Testing

@testable import RxBenchCommands

@Suite("Scale") struct ScaleTests {
    @Test func `linear and logarithmic positions`() throws {
        let linear = try #require(Scale(covering: [0, 10]))
        #expect([-1, 0, 5, 10, 11].map(linear.position) == [0, 0, 0.5, 1, 1])
        let logarithmic = try #require(Scale(covering: [1, 10_000], isLogarithmic: true))
        #expect((logarithmic.position(100) - 0.5).magnitude < 1e-12)
    }

    @Test(arguments: [
        ([0.0, 10], false, [0.0, 5, 10]), ([28.1, 51.2], false, [30, 40, 50]), ([1, 1000], true, [1, 10, 100, 1000]),
        ([2, 40], true, [2, 5, 10, 20]),
    ]) func `ticks are round numbers`(ends: [Double], isLogarithmic: Bool, ticks: [Double]) throws {
        let scale = try #require(Scale(covering: ends, isLogarithmic: isLogarithmic))
        #expect(scale.ticks.count == ticks.count)
        #expect(
            zip(scale.ticks, ticks).allSatisfy { ($0 - $1).magnitude < 1e-9 * $1.magnitude + 1e-12 }, "\(scale.ticks)")
    }

    @Test func `equal values get a range whose labels differ`() throws {
        let scale = try #require(Scale(covering: [1.233, 1.2334]))
        #expect(scale.low < 1.21 && scale.high > 1.26)
        #expect(Set(scale.ticks.map(Figures.threeDigits)).count == scale.ticks.count)
        #expect(Scale(covering: [0, 0]) != nil)
        #expect(Scale(covering: [.nan, .infinity]) == nil)
    }

    @Test func `numbers at the end of their range break nothing`() throws {
        for ends in [
            [-1e308, 1e308], [Double.leastNonzeroMagnitude, 1e308], [0, .leastNonzeroMagnitude], [1e308, 1e308],
        ] {
            for isLogarithmic in [false, true] {
                let scale = try #require(Scale(covering: ends, isLogarithmic: isLogarithmic))
                #expect(scale.ticks.count < 30)
                #expect((ends + [0, -1, 1]).map(scale.position).allSatisfy { (0...1).contains($0) })
            }
        }
    }

    @Test func `a wide range is logarithmic, a narrow one linear`() {
        #expect(Scale.fitting([1, 6])?.isLogarithmic == true)
        #expect(Scale.fitting([1, 4])?.isLogarithmic == false)
        #expect(Scale.fitting([0, 100])?.isLogarithmic == false)
    }
}

@Suite("Curves") struct CurveTests {
    private var chart: Chart {
        Chart(horizontal: Axis(scale: Scale(covering: [0, 338])!, title: "x", label: Figures.count), vertical: .share)
    }

    @Test func `a distribution is a staircase that ends at the top`() {
        let curve = chart.distribution([(0, 1), (100, 2), (338, 1)], "a1")
        // From the bottom (148) up by a quarter of 126, then by two quarters, then by one quarter.
        #expect(curve.text == "<path class=a1 d=\"M50 148v-31h100v-63h238v-32\"/>")
    }

    @Test func `values that share a place make one step`() {
        #expect(
            chart.distribution((0..<1000).map { (Double($0) / 10_000, 1) }, "a1").text
                == "<path class=a1 d=\"M50 148v-126\"/>")
    }

    @Test func `thousands of values keep their extremes in each column`() {
        let axis = Axis(scale: Scale(covering: [0, 9_999])!, title: "x", label: Figures.count)
        let envelope = Chart(horizontal: axis, vertical: .share).envelope(
            (0..<10_000).map { $0 == 5_000 ? 1 : 0 }, "a1")
        #expect(envelope.text.count < 6_000)
        #expect(envelope.text.contains("v-127"))
    }

    @Test func `an axis leaves out labels that would touch or repeat`() {
        let scale = Scale(covering: [0, 1])!
        let crowded = Axis(scale: scale, title: "t", label: { _ in "same" }, ticks: [0, 0.01, 1])
        let text = Chart(horizontal: crowded, vertical: .share).markup("d", .empty).text
        #expect(text.components(separatedBy: ">same<").count == 2)
    }
}
