/** Three packages of the npm registry, as the lock file pins them, and small changes to them. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

const require = createRequire(import.meta.url);

/** One feature of a plan, with the work that completes it. */
export interface Change {
  readonly name: string;
  readonly description: string;
  readonly file: string;
  readonly edits: readonly { readonly at: string; readonly becomes: string }[];
  readonly test: {
    readonly file: string;
    readonly content: string;
    /** A part of the content, and what a hasty author writes there: then the test fails. */
    readonly right: string;
    readonly wrong: string;
  };
}

export interface Package {
  readonly name: string;
  /** The published text files, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly changes: readonly Change[];
  /** The path of its licence. */
  readonly license: string;
  /** Matches a line in the outline of the package's file over 64 kB. Null if there is no such file. */
  readonly hugeFileHas: RegExp | null;
  /** Starts a program that serves HTTP, prints its address and does not end. */
  readonly serve: string;
}

function filesOf(manifest: string): Record<string, string> {
  const folder = dirname(manifest);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.endsWith('.png'));
  return Object.fromEntries(
    files.map((path) => [relative(folder, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
  );
}

const TEST = "const test = require('node:test');\nconst assert = require('node:assert');\n";

/** A server that answers with the type of a CommonJS module. */
const serving = (main: string): string =>
  `node -e "const s = require('http').createServer((q, r) => r.end(typeof require('./${main}'))).listen(0, () => console.log('http://localhost:' + s.address().port))"`;

interface ValueTest {
  readonly name: string;
  readonly lines: readonly string[];
  readonly slip: readonly [right: string, wrong: string];
}

/** A test of a CommonJS module by its values. */
function values(main: string, { name, lines, slip: [right, wrong] }: ValueTest): Change['test'] {
  const body = lines.map((line) => `  ${line}\n`).join('');
  const content = `${TEST}const subject = require('../${main}');\n\ntest('${name}', () => {\n${body}});\n`;
  return { file: `test/${name}.test.js`, content, right, wrong };
}

/** `edits`: pairs of what is there and what it becomes. */
function changesMs(
  name: string,
  description: string,
  test: ValueTest,
  ...edits: readonly (readonly [string, string])[]
): Change {
  const file = 'index.js';
  return {
    name,
    description,
    file,
    edits: edits.map(([at, becomes]) => ({ at, becomes })),
    test: values(file, test),
  };
}

const WEEK = "    case 'weeks':\n    case 'week':\n";
const DAY = "    case 'days':\n    case 'day':\n";

const MS: Package = {
  name: 'ms@2.1.3',
  files: filesOf(require.resolve('ms/package.json')),
  license: 'license.md',
  hugeFileHas: null,
  serve: serving('index.js'),
  changes: [
    changesMs(
      'Months',
      'index.js parses months: mo, month and months, each a twelfth of a year.',
      { name: 'months', lines: ["assert.equal(subject('1mo'), 2629800000);"], slip: ['2629800000', '2592000000'] },
      [WEEK, `    case 'months':\n    case 'month':\n    case 'mo':\n      return (n * y) / 12;\n${WEEK}`],
      ['|weeks?|w|', '|weeks?|w|months?|mo|'],
    ),
    changesMs(
      'Quarters',
      'index.js parses quarter and quarters, each a fourth of a year.',
      {
        name: 'quarters',
        lines: ["assert.equal(subject('1 quarter'), 7889400000);"],
        slip: ['7889400000', '7776000000'],
      },
      [DAY, `    case 'quarters':\n    case 'quarter':\n      return (n * y) / 4;\n${DAY}`],
      ['|days?|d|', '|days?|d|quarters?|'],
    ),
    changesMs(
      'Weeks, short',
      'The short format of index.js gives weeks from seven days on: 2w.',
      { name: 'short-weeks', lines: ["assert.equal(subject(1209600000), '2w');"], slip: ["'2w'", "'14d'"] },
      [
        "    return Math.round(ms / d) + 'd';\n",
        "    return msAbs >= w ? Math.round(ms / w) + 'w' : Math.round(ms / d) + 'd';\n",
      ],
    ),
    changesMs(
      'Weeks, long',
      'The long format of index.js gives weeks from seven days on: 2 weeks.',
      {
        name: 'long-weeks',
        lines: ["assert.equal(subject(1209600000, { long: true }), '2 weeks');"],
        slip: ["'2 weeks'", "'14 days'"],
      },
      [
        "    return plural(ms, msAbs, d, 'day');\n",
        "    return msAbs >= w ? plural(ms, msAbs, w, 'week') : plural(ms, msAbs, d, 'day');\n",
      ],
    ),
  ],
};

/** A function of `he` before another one in its list. */
function addsToHe(name: string, description: string, before: string, entry: string, test: ValueTest): Change {
  const at = `\t\t${before}`;
  return {
    name,
    description,
    file: 'he.js',
    edits: [{ at, becomes: `\t\t${entry}\n${at}` }],
    test: values('he.js', test),
  };
}

const HE: Package = {
  name: 'he@1.2.0',
  files: filesOf(require.resolve('he/package.json')),
  license: 'LICENSE-MIT.txt',
  hugeFileHas: /^ *(\d+)\t\s*var he = \{/m,
  serve: serving('he.js'),
  changes: [
    addsToHe(
      'Is encoded',
      'he.js says by isEncoded whether decoding changes a text.',
      "'decode': decode,",
      "'isEncoded': function(string) { return decode(string) !== string; },",
      { name: 'is-encoded', lines: ["assert.equal(subject.isEncoded('&amp;'), true);"], slip: ['true', 'false'] },
    ),
    addsToHe(
      'Decoded length',
      'he.js gives by decodedLength how long a text is once it is decoded.',
      "'escape': escape,",
      "'decodedLength': function(string) { return decode(string).length; },",
      { name: 'length', lines: ["assert.equal(subject.decodedLength('&lt;p&gt;'), 3);"], slip: ['3', '9'] },
    ),
    addsToHe(
      'Plain spaces',
      'he.js decodes by plainSpaces with plain spaces in the place of no-break spaces.',
      "'unescape': decode",
      "'plainSpaces': function(string) { return decode(string).replace(/\\u00A0/g, ' '); },",
      { name: 'spaces', lines: ["assert.equal(subject.plainSpaces('a&nbsp;b'), 'a b');"], slip: ["'a b'", "'ab'"] },
    ),
    addsToHe(
      'Encode to ASCII',
      'he.js encodes by encodeAscii with named references where there are any.',
      "'encode': encode,",
      "'encodeAscii': function(string) { return encode(string, { 'useNamedReferences': true }); },",
      { name: 'ascii', lines: ["assert.equal(subject.encodeAscii('\\u00A9'), '&copy;');"], slip: ['&copy;', '&#xA9;'] },
    ),
  ],
};

/** A test that starts the program and asks it over HTTP. */
function served(name: string, path: string, check: string, [right, wrong]: ValueTest['slip']): Change['test'] {
  const content = `${TEST}const { spawn } = require('node:child_process');

test('${name}', async () => {
  const child = spawn(process.execPath, ['cli.js', 'tests/example']);
  try {
    const url = await new Promise((resolve, reject) => {
      child.on('exit', () => reject(new Error('it ended')));
      let said = '';
      child.stdout.on('data', (data) => {
        said += data;
        const found = /http:\\/\\/localhost:\\d+/.exec(said);
        if (found) resolve(found[0]);
      });
    });
    const response = await fetch(url + '${path}');
    ${check}
  } finally {
    child.kill();
  }
});
`;
  return { file: `test/${name}.test.js`, content, right, wrong };
}

const ORIGIN = "    res.setHeader('access-control-allow-origin', '*');\n";
const CREDENTIALS = '  let credentials;\n';

const SERVOR: Package = {
  name: 'servor@4.0.2',
  files: filesOf(require.resolve('servor/package.json')),
  license: 'LICENSE',
  hugeFileHas: null,
  serve: 'node cli.js tests/example',
  changes: [
    {
      name: 'Served by',
      description: 'Each response of servor.js has the header x-served-by: servor.',
      file: 'servor.js',
      edits: [{ at: ORIGIN, becomes: `${ORIGIN}    res.setHeader('x-served-by', 'servor');\n` }],
      test: served('served-by', '/', "assert.equal(response.headers.get('x-served-by'), 'servor');", [
        "'servor'",
        "'Servor'",
      ]),
    },
    {
      name: 'Version option',
      description: 'cli.js --version prints the version and starts no server.',
      file: 'cli.js',
      edits: [
        {
          at: CREDENTIALS,
          becomes: `  if (~process.argv.indexOf('--version')) return console.log(require('./package.json').version);\n${CREDENTIALS}`,
        },
      ],
      test: {
        file: 'test/version.test.js',
        content: `${TEST}const { execFileSync } = require('node:child_process');

test('version', () => {
  const said = execFileSync(process.execPath, ['cli.js', '--version'], { encoding: 'utf8', timeout: 60000 });
  assert.equal(said.trim(), require('../package.json').version);
});
`,
        right: 'said.trim()',
        wrong: 'said',
      },
    },
    {
      name: 'Error texts',
      description: 'An error response of servor.js has the status and its name as text: 404 Not Found.',
      file: 'servor.js',
      edits: [
        {
          at: `    res.write(\`\${status}\`);\n`,
          becomes: `    res.write(\`\${status} \${http.STATUS_CODES[status]}\`);\n`,
        },
      ],
      test: served('errors', '/none.txt', "assert.equal(await response.text(), '404 Not Found');", [
        "'404 Not Found'",
        "'404'",
      ]),
    },
    {
      name: 'Server name',
      description: 'Each response of servor.js has the header server: servor.',
      file: 'servor.js',
      edits: [
        {
          at: '    const pathname = decodeURI(url.parse(req.url).pathname);\n',
          becomes:
            "    const pathname = decodeURI(url.parse(req.url).pathname);\n    res.setHeader('server', 'servor');\n",
        },
      ],
      test: served('server', '/', "assert.equal(response.headers.get('server'), 'servor');", ["'servor'", "'node'"]),
    },
  ],
};

export const PACKAGES = { MS, HE, SERVOR };

/** A feature that needs no change: the licence is there. */
export function licenseOf({ license, files }: Package): Change {
  return {
    name: 'License file',
    description: `The repository has the text of its licence in ${license}.`,
    file: license,
    edits: [],
    test: { file: license, content: files[license] ?? '', right: '', wrong: '' },
  };
}
