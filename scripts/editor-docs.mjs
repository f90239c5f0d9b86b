/**
 * `npx node scripts/editor-docs.mjs`: writes the tables of commands, keys and settings in docs/editor.md from the declarations in
 * src/vscode/contributions.ts; `--check` fails if they differ.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { contributes } from '../src/vscode/contributions.ts';

const file = new URL('../docs/editor.md', import.meta.url);
const { commands, configuration, keybindings, menus } = contributes();
/** Commands that are offered only in their own menu, for example in a thread of comments. */
const elsewhere = new Set(menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));

const WHEN = {
  'autonomous.usable': 'a trusted folder',
  'autonomous.folder': 'a folder',
  'autonomous.hasJob': 'a job',
  'autonomous.hasTask': 'a task',
  'autonomous.waits': 'a pending question',
  'workspaceFolderCount > 1': 'several folders',
};
const needs = (enablement) =>
  enablement
    .split(' && ')
    .map((key) => WHEN[key] ?? '')
    .filter((text) => text !== '')
    .join(', ');
/** Emphasis as the formatter writes it. */
const cell = (value) =>
  String(value)
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
    .replace(/(?<![\w*])\*([^*]+)\*(?![\w*])/g, '_$1_');
const code = (value) => `\`${JSON.stringify(value)}\``;

/** A table with padded columns, as the Markdown formatter writes it. */
function table(head, rows) {
  const all = [head, ...rows].map((row) => row.map(cell));
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at].length)));
  const line = (row) => `| ${row.map((text, at) => text.padEnd(widths[at])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(all[0]), rule, ...all.slice(1).map(line)].join('\n');
}

const commandTable = table(
  ['command', 'needs'],
  commands
    .filter(({ command }) => !elsewhere.has(command))
    .map(({ title, enablement }) => [`Autonomous: ${title}`, needs(enablement)]),
);
const settingTables = configuration.map(({ title, properties }) => {
  const rows = Object.entries(properties).map(([name, setting]) => [
    `\`${name}\``,
    code(setting.default),
    setting.scope,
    setting.enum === undefined
      ? setting.markdownDescription
      : `${setting.markdownDescription} ${setting.enum.map((value, at) => `\`${value}\`: ${setting.enumDescriptions?.[at] ?? ''}`).join(' ')}`,
  ]);
  return `### ${title}\n\n${table(['setting', 'default', 'scope', 'what'], rows)}`;
});

const keyTable = table(
  ['key', 'on a Mac', 'command', 'where'],
  keybindings.map(({ command, key, mac, when }) => [
    `\`${key}\``,
    `\`${mac}\``,
    commands.find((one) => one.command === command).title,
    when.startsWith('editorTextFocus') ? 'a brief that is being written' : 'the sidebar, the jobs and the board',
  ]),
);

let text = readFileSync(file, 'utf8');
for (const [name, made] of [
  ['commands', commandTable],
  ['keys', keyTable],
  ['settings', settingTables.join('\n\n')],
]) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/editor.md has no place for the ${name}`);
  text = `${text.slice(0, from + begin.length)}\n\n${made}\n\n${text.slice(to)}`;
}
if (process.argv.includes('--check')) {
  if (text !== readFileSync(file, 'utf8'))
    throw new Error('docs/editor.md is not as declared: run `npx node scripts/editor-docs.mjs`');
} else writeFileSync(file, text);
