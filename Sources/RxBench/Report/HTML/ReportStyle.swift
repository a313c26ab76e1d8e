/// The page's style sheet. What a chart takes from another place of the page ('use') sees no ancestors, so that nothing
/// in a chart is selected by them. Colours are Okabe and Ito's, which colour-blind readers can tell apart; lines differ
/// in dashes too.
enum ReportStyle {
    static let text = """
        :root{color-scheme:light \
        dark;--page:light-dark(#fff,#15181c);--panel:light-dark(#f5f6f8,#1e2228);--text:light-dark(#1b1f24,#e4e7eb);\
        --faint:light-dark(#5b6470,#9aa4b0);--rule:light-dark(#d5d9df,#363c45);\
        --blue:light-dark(#0072b2,#56b4e9);--orange:light-dark(#b84f00,#f0a030);\
        --green:light-dark(#00795a,#2fc49a);--red:light-dark(#b3261e,#ff8a7a);--purple:light-dark(#a0477d,#e29ac4)}
        :root[data-theme=light]{color-scheme:light}
        :root[data-theme=dark]{color-scheme:dark}
        *{box-sizing:border-box}
        [hidden]{display:none!important}
        body{margin:0;background:var(--page);color:var(--text);font:15px/1.45 system-ui,-apple-system,"Segoe \
        UI",Roboto,sans-serif}
        header,main{max-width:1180px;margin:0 auto;padding:0 16px}
        header{padding-top:18px}
        h1{font-size:22px;margin:0;overflow-wrap:anywhere}
        h2{font-size:18px;margin:34px 0 6px;padding-top:10px;border-top:1px solid var(--rule)}
        h3{font-size:14px;margin:14px 0 4px}
        p{margin:4px 0}
        header p,small,.hint,figcaption,section>p{color:var(--faint)}
        small,.hint,figcaption{font-size:13px}
        .verdict{font-size:17px;color:var(--text)!important;overflow-wrap:anywhere}
        code{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
        a{color:var(--blue)}
        nav{display:flex;flex-wrap:wrap;gap:4px 14px;align-items:center;margin:8px 0}
        nav button{margin-left:auto}
        button,select,input{font:inherit;color:inherit;background:var(--page);border:1px solid \
        var(--rule);border-radius:6px;padding:3px 8px}
        :focus-visible{outline:2px solid var(--blue);outline-offset:1px}
        ul{margin:6px 0;padding-left:20px}
        .tiles{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:8px}
        .tiles li{background:var(--panel);border-radius:8px;padding:8px 14px}
        .tiles b{font-size:20px;margin-right:4px}
        .badge{white-space:nowrap}
        .good{color:var(--green)}.bad{color:var(--red);font-weight:600}.open{color:var(--orange)}
        .tools{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;margin:8px 0}
        #filter{width:17em;max-width:100%}
        .wide{overflow-x:auto}
        table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
        th,td{padding:4px 8px;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
        th:first-child{text-align:left}
        thead th{color:var(--faint);font-weight:600;vertical-align:bottom}
        thead button,th button{border:0;background:none;padding:0;font:inherit;text-align:inherit;cursor:pointer}
        thead th[aria-sort=ascending] button::after{content:" ▲"}
        thead th[aria-sort=descending] button::after{content:" ▼"}
        tbody th{font:13px \
        ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:normal;overflow-wrap:anywhere;min-width:16em}
        tbody th button{color:var(--blue);overflow-wrap:anywhere}
        tbody th button::before{content:"▸ ";color:var(--faint)}
        tbody th button[aria-expanded=true]::before{content:"▾ "}
        td[data-label=verdict],td[data-label=budget],th[data-key=verdict],.words{text-align:left}
        .details td{text-align:left;white-space:normal;background:var(--panel);padding:10px 14px}
        .facts th,.facts td{text-align:left;white-space:normal;overflow-wrap:anywhere}
        .facts th{font:inherit;color:var(--faint);min-width:9em}
        .missing{color:var(--faint);border-bottom:1px dotted}
        .tag{color:var(--faint)}
        .charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));gap:12px \
        20px;margin:8px 0}
        figure{margin:0;min-width:0}
        figcaption span{white-space:nowrap}
        figcaption i{display:inline-block;width:18px;height:0;border-top:3px solid;margin:0 4px 4px \
        6px;vertical-align:middle}
        .k1{border-color:var(--blue)!important}
        .k2{border-color:var(--faint)!important;border-top-width:1px!important}
        .k3{border-color:var(--orange)!important;border-top-style:dashed!important}
        .k4{border-color:var(--purple)!important;border-top-style:dotted!important}
        .kb{border-color:var(--blue)!important;border-top-width:10px!important;opacity:.18}
        svg{display:block;width:100%;fill:none;stroke-linejoin:round}
        text{fill:var(--faint);font-size:12px}
        .c{overflow:visible}
        .x{text-anchor:middle}.y{text-anchor:end}
        .definitions{position:absolute;width:0}
        .g{stroke:var(--rule);vector-effect:non-scaling-stroke}
        .a1{stroke:var(--blue);stroke-width:2}
        .a2{stroke:var(--faint);stroke-width:1}
        .a3{stroke:var(--orange);stroke-width:2;stroke-dasharray:6 3}
        .a4{stroke:var(--purple);stroke-width:2;stroke-dasharray:2 3}
        .dots{stroke-width:7;stroke-linecap:round;stroke-dasharray:none}
        .band{fill:var(--blue);opacity:.18}
        .s{height:20px;min-width:120px;color:var(--blue)}
        .s path{stroke:currentColor;vector-effect:non-scaling-stroke}
        .s .g{stroke:var(--faint)}
        .s .i{stroke-width:8;opacity:.3}
        .s .p{stroke-width:5;stroke-linecap:round;opacity:.6}
        .s .m{stroke-width:9;stroke-linecap:round}
        .s.k{color:var(--green)}.s.b{color:var(--red)}.s.o{color:var(--orange)}
        .line{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,5fr) minmax(0,4fr);gap:0 \
        14px;align-items:center;padding:2px 0;border-bottom:1px solid var(--rule)}
        .figure{font-variant-numeric:tabular-nums}
        .line .figure{font-size:13px}
        .ruler{position:relative;height:20px;margin:0 18px}
        .line svg{width:calc(100% - 36px);margin:0 18px}
        .ruler span{position:absolute;transform:translateX(-50%);font-size:12px;color:var(--faint)}
        .outcomes{list-style:none;padding:0}
        .outcomes .figure{display:inline-block;min-width:5.8em;text-align:right}
        .bar{display:inline-block;width:140px;max-width:30%;height:10px;background:var(--panel);\
        vertical-align:middle;border:1px solid var(--rule)}
        .bar i{display:block;height:100%;background:var(--green)}
        .bar .interesting{background:var(--orange)}.bar .forbidden{background:var(--red)}
        @media(max-width:700px){
        #benchmarks thead,.plain thead{display:none}
        #table,.plain,#table tbody,.plain tbody{display:block}
        #table tr:not([hidden]),.plain tr{display:grid;grid-template-columns:1fr 1fr;gap:0 8px;border-bottom:1px solid \
        var(--rule);padding:6px 0}
        #table th,#table td,.plain th,.plain td{border:0;padding:1px 0;text-align:left;white-space:normal;min-width:0}
        #table th,.plain th,.details td{grid-column:1/-1}
        #table td::before,.plain td::before{content:attr(data-label) " ";color:var(--faint);font-size:12px}
        #table td:empty,.plain td:empty,.details td::before{display:none}
        #table td[data-label=processes]{display:flex;align-items:center;gap:6px;padding-right:10px}
        #table .details td{padding:8px}
        .line{grid-template-columns:1fr;padding:6px 0}
        .line>span:empty{display:none}
        #filter{width:100%}
        .tools label:first-child{width:100%}
        }
        @media print{.tools,nav{display:none}}
        """
}
