/** What the demo starts from: an almost empty repository, a brief, and the commands that may run without a sandbox. */

export const demoBrief = `Build "sheet", a spreadsheet for the terminal.

A sheet is a CSV file. A field that starts with = is a formula: it may use numbers, + - * / ^ and parentheses, other
cells (B2), and functions such as SUM over ranges (B2:B9). \`node bin/sheet.js FILE.csv\` computes the file and prints it
in a form that people like to read. Nothing in a file may make it crash or hang: a cell that cannot be computed shows
why, and the rest is computed.

Plain JavaScript for Node 18 or later, no dependencies. Tests with node:test; \`node --test\` must pass. Give the README a
short guide with an example.
`;

/** The sample repository's first commit, by path. */
export const demoSampleFiles: Readonly<Record<string, string>> = {
  'README.md': `# Sheet

A spreadsheet for the terminal. There is nothing here yet.
`,
  'package.json': `{
  "name": "sheet",
  "version": "0.1.0",
  "description": "A spreadsheet for the terminal",
  "private": true,
  "type": "module",
  "bin": { "sheet": "bin/sheet.js" },
  "scripts": { "test": "node --test" },
  "engines": { "node": ">=18.11" }
}
`,
  '.gitignore': `node_modules/
`,
};

/** Every command that the demo's plan verifies with or its workers run, as exact argv lists. */
export const demoAllowedCommands: readonly (readonly string[])[] = [
  ['node', '--test'],
  ['node', 'bin/sheet.js', 'examples/budget.csv'],
  ['node', 'bin/sheet.js', 'examples/prices.csv', '--format', 'markdown'],
];
