/** Texts that a model or a repository might hold. Each must be shown as text and do nothing. */

const MARKUP = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe src="https://example.invalid"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">click</a>',
  '<body onload=alert(1)>',
  '<style>*{display:none}</style>',
  '<style>@import url(https://example.invalid/x.css)</style>',
  '<link rel=stylesheet href=https://example.invalid/x.css>',
  '<meta http-equiv=refresh content="0;url=https://example.invalid">',
  '<base href="https://example.invalid/">',
  '<form action=https://example.invalid><button>x</button></form>',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video src=https://example.invalid/v.mp4></video>',
  '<audio src=https://example.invalid/a.mp3 autoplay>',
  '<object data=https://example.invalid></object>',
  '<embed src=https://example.invalid>',
  '<math><mtext></mtext><script>alert(1)</script></math>',
  '<template><script>alert(1)</script></template>',
  '<vscode-button onclick=alert(1)>x</vscode-button>',
  '"><script>alert(1)</script>',
  "'><img src=x onerror=alert(1)>",
  '" onmouseover="alert(1)',
  "' style='background:url(https://example.invalid)",
  '</title><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '<!-- <script>alert(1)</script> -->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<plaintext>',
  '<noscript><img src=https://example.invalid></noscript>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x"/></svg>',
  '<svg><image href=https://example.invalid/i.svg /></svg>',
  '<math><a xlink:href="javascript:alert(1)">x</a></math>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<p style="background:url(https://example.invalid/p)">x</p>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<picture><source srcset=https://example.invalid/s><img></picture>',
  '<link rel=preload as=image href=https://example.invalid/l>',
  '<link rel=dns-prefetch href=//example.invalid>',
  '<portal src=https://example.invalid></portal>',
  '<isindex type=image src=https://example.invalid onerror=alert(1)>',
];

const OTHER = [
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'command:workbench.action.quit',
  'vscode://file/etc/passwd',
  '[click](javascript:alert(1))',
  '![x](https://example.invalid/x.png)',
  '[x](command:workbench.action.quit)',
  '$(trash) $(sync~spin)',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;img src=x onerror=alert(1)&#62;',
  '\\u003cscript\\u003ealert(1)\\u003c/script\\u003e',
  '{{constructor.constructor("alert(1)")()}}',
  '#{7*7} <%= 7*7 %>',
  '`alert(1)`',
  "');alert(1);//",
  '__proto__',
  'constructor',
  'toString',
  '{"$$typeof":"x"}',
  'url(https://example.invalid)',
  'expression(alert(1))',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '../../../../etc/passwd',
  'a'.repeat(5000),
  '\u0000null',
  '\u001b[31mred\u001b[0m',
  '\u202egpj.exe',
  '\u2066hidden\u2069',
  '\u200bzero',
  'e\u0301'.repeat(200),
  'Z\u0351\u036b\u0343a\u0363\u0368l\u030dg\u0322o',
  '\ud800 half a pair',
  '\u0007bell\u0008back',
  'עברית ועוד',
  '🧨👩‍👩‍👧‍👦',
  '\u001b]8;;https://example.invalid\u0007click\u001b]8;;\u0007',
  '\u001b]52;c;Y3VybCBleGFtcGxlLmludmFsaWQ=\u0007copied',
  '\u001b]0;another title\u001b\\',
  '\u001b[2J\u001b[Hcleared',
  '\u009b31mC1',
  'tags \u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}',
  'fill\u3164er \uffa0 \u115f',
  'so\u00adft hy\u034fphen',
  'line\u2028separator\u2029paragraph',
  'x\ufe0f\ufe01\ufe02 selectors',
  'аррӏе.com раураl.com',
  '\u202bRTL embedding\u202c',
  '\udc00 the other half',
  '$(gear~spin) $(alert) $(x)',
  '[a]: javascript:alert(1)',
  '<https://example.invalid>',
  '![](data:image/svg+xml,<svg/onload=alert(1)>)',
  '[![x](https://example.invalid/i.png)](command:workbench.action.quit)',
  '&lt;img src=x onerror=alert(1)&gt;',
  '$' + '{7*7} {{7*7}} [[x]]',
  'vscode-insiders://vscode.git/clone?url=https://example.invalid',
  'file:///etc/passwd',
  'blob:https://example.invalid/x',
  'vscode-webview://x/y vscode-resource:/etc/passwd',
  '//example.invalid/protocol-relative',
  '\\\\example.invalid\\share\\x',
];

const entities = (text: string) => [...text].map((one) => `&#x${(one.codePointAt(0) ?? 0).toString(16)};`).join('');
const swapped = (text: string) =>
  [...text].map((one, at) => (at % 2 === 0 ? one.toUpperCase() : one.toLowerCase())).join('');

/** What a filter that looks for the plain form would let through. */
const DISGUISES: readonly ((text: string) => string)[] = [
  swapped,
  (text) => `"></p></div></template>${text}`,
  (text) => `'" x='${text}' y="${text}"`,
  (text) => `<div><p title="${text}">${text}</p></div>`,
  (text) => text.replace(/^<(\w)/, '<$1$1<$1'),
  (text) => text.replaceAll('<', '<\u0000').replaceAll(' ', '/'),
  (text) => text.replaceAll(' ', '\n\t').replaceAll('=', ' = '),
  (text) => text.replaceAll('alert(1)', 'al\\u0065rt(1)').replaceAll('https:', 'HTTPS:\u200b'),
  (text) => text.replaceAll('<', '\uff1c').replaceAll('>', '\uff1e'),
  (text) => `<noscript><!--</noscript>${text}-->`,
  (text) => `<svg><style><![CDATA[</style>${text}]]></svg>`,
  (text) => `\u202e${text}\u202c`,
  entities,
  encodeURIComponent,
];

/** The texts, the harmless looking ones once more between tags, then every markup in each disguise: always the same list, none twice. */
function generated(amount: number): readonly string[] {
  const others = OTHER.filter((text) => text.length < 100).map((text) => `<b title='${text}'>${text}</b> {${text}}`);
  const disguised = DISGUISES.flatMap((disguise) => MARKUP.map((text) => disguise(text)));
  return [...new Set([...MARKUP, ...OTHER, ...others, ...disguised])].slice(0, amount);
}

export const HOSTILE: readonly string[] = generated(700);

/** Others of the same sort: pieces of those above, put together. */
export function mutated(amount: number, below: (bound: number) => number): string[] {
  const piece = (): string => {
    const text = HOSTILE[below(HOSTILE.length)] ?? '';
    const from = below(Math.max(1, text.length));
    return text.slice(from, from + 1 + below(60));
  };
  return Array.from({ length: amount }, (_, at) => `${at}${piece()}${piece()}${piece()}`);
}
