/** The figures of docs/trust/*.json as tables of docs/TRUST.md, between its markers. `node scripts/proof/trust.mjs` writes them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, run } from '../setup.mjs';

const PAGE = join(root, 'docs', 'TRUST.md');
const FIGURES = join(root, 'docs', 'trust');
const PROOFS = ['faults', 'hostile', 'soak'];
const PLANTED = 'planted: ';
const order = new Intl.Collator('en', { numeric: true });

/** Parses one figure per line. Throws if two figures have the same name: one would hide the other. */
export function figuresIn(text) {
  const figures = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  for (const [name, { length }] of Map.groupBy(figures, nameOf))
    if (length > 1) throw new Error(`the tests recorded a figure ${length} times instead of once: ${name}`);
  return inOrder(figures);
}

const nameOf = ({ method, what }) => `${method} ${what}`;
const inOrder = (figures) => figures.toSorted((a, b) => order.compare(a.method, b.method));
const byFile = (bugs) => bugs.toSorted((a, b) => order.compare(a.file, b.file) || order.compare(a.bug, b.bug));

/** A whole run, with later measurements merged in; the notes name their day if it differs. */
export function remeasured(whole, { day, figures, planted }) {
  const files = new Set(planted.map(({ file }) => file));
  const names = new Set(figures.map(nameOf));
  const left = whole.figures.filter((figure) => !names.has(nameOf(figure)));
  const again = figures.map((figure) => (day === whole.day ? figure : { ...figure, day }));
  return {
    ...whole,
    figures: inOrder([...left, ...again]),
    planted: byFile([...whole.planted.filter(({ file }) => !files.has(file)), ...planted]),
  };
}

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
const withUnit = (value, unit) => `${number.format(value)}${unit === '' ? '' : ` ${unit}`}`;

function aimOf({ aim, unit }) {
  if (aim === null) return '';
  if ('atMost' in aim) return aim.atMost === 0 ? '0' : `at most ${withUnit(aim.atMost, unit)}`;
  return `at least ${withUnit(aim.atLeast, unit)}`;
}

function missed({ aim, value }) {
  if (aim === null) return false;
  return 'atMost' in aim ? value > aim.atMost : value < aim.atLeast;
}

const TRIED = 'hostile inputs tried';

/** One more line for what several tried. */
function withSum(figures) {
  const tried = figures.filter(({ what }) => what.startsWith(TRIED));
  if (tried.length < 2) return figures;
  const value = tried.reduce((sum, figure) => sum + figure.value, 0);
  return [...figures, { method: 'all', what: `${TRIED}, in all`, value, unit: '', aim: { atLeast: 10_000 } }];
}

/** As Markdown. */
export function table(figures) {
  const rows = withSum(figures).map((figure) => {
    const value = withUnit(figure.value, figure.unit);
    const what = figure.day === undefined ? figure.what : `${figure.what} (${figure.day})`;
    return `| ${figure.method} | ${what} | ${missed(figure) ? `**${value}** (missed)` : value} | ${aimOf(figure)} |`;
  });
  return ['| method | what | figure | aim |', '| --- | --- | --: | --- |', ...rows].join('\n');
}

/** The bugs that were put into our own code and caught, with the file of their test, in vitest's own report. */
export function plantedIn({ testResults }) {
  const caught = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ title, status }) => status === 'passed' && title.startsWith(PLANTED))
      .map(({ title }) => ({
        bug: title.slice(PLANTED.length).replace(/: is caught$/, ''),
        file: relative(root, name),
      })),
  );
  return byFile(caught);
}

function plantedTable(runs) {
  const files = Map.groupBy(
    runs.flatMap(({ planted }) => planted),
    ({ file }) => file,
  );
  const rows = [...files].map(([file, bugs]) => `| \`${file}\` | ${bugs.map(({ bug }) => bug).join(' · ')} |`);
  return ['| test | the bug that it catches |', '| --- | --- |', ...rows].join('\n');
}

function put(page, name, told) {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/TRUST.md has no place for ${name}: ${begin} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n\n${told}\n\n${page.slice(to)}`;
}

/** A summary of the last runs in a few lines. */
export function summary(runs) {
  const judged = runs.flatMap(({ figures }) => withSum(figures)).filter(({ aim }) => aim !== null);
  const met = judged.filter((figure) => !missed(figure)).length;
  const tried = runs.flatMap(({ figures }) => figures).filter(({ what }) => what.startsWith(TRIED));
  const inputs = tried.reduce((sum, { value }) => sum + value, 0);
  const bugs = runs.reduce((sum, { planted }) => sum + planted.length, 0);
  const days = runs.map(({ day }) => day).toSorted();
  return [
    `- ${number.format(met)} of ${number.format(judged.length)} figures that have an aim met it, in runs from ${days.at(0)} to ${days.at(-1)}. The tables below mark the others.`,
    `- ${number.format(inputs)} hostile inputs were tried: paths that lead out, git settings, commands, pages, secrets and the like.`,
    `- ${number.format(bugs)} bugs were planted in our own code, and the tests caught each.`,
  ].join('\n');
}

/** The page with the tables of the last runs in it. */
function trustPage() {
  const runs = PROOFS.map((proof) => ({ proof, ...measuredBefore(proof) })).filter(({ day }) => day !== undefined);
  const measured = runs.reduce(
    (page, { proof, day, minutes, figures }) =>
      put(page, proof, `\`npm run proof -- ${proof}\` on ${day}, in ${minutes} minutes:\n\n${table(figures)}`),
    readFileSync(PAGE, 'utf8'),
  );
  if (runs.length === 0) return measured;
  return put(put(measured, 'planted', plantedTable(runs)), 'summary', summary(runs));
}

/** The last recorded run; `null` if there is none. */
export function measuredBefore(proof) {
  const file = join(FIGURES, `${proof}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** Keeps the previous order of the figures: tests end in a different order each time, and two runs should differ only in their figures. */
function inPlace(figures, before) {
  const places = new Map(before.map((figure, place) => [nameOf(figure), place]));
  const placeOf = (figure) => places.get(nameOf(figure)) ?? places.size;
  return inOrder(figures.toSorted((a, b) => placeOf(a) - placeOf(b)));
}

export async function writeFigures(proof, measured) {
  mkdirSync(FIGURES, { recursive: true });
  const figures = inPlace(measured.figures, measuredBefore(proof)?.figures ?? []);
  writeFileSync(join(FIGURES, `${proof}.json`), `${JSON.stringify({ ...measured, figures }, null, 2)}\n`);
  await writeTrust();
}

/** In the form that everything here has. */
async function writeTrust() {
  writeFileSync(PAGE, trustPage());
  await run('biome', ['format', '--write', PAGE, FIGURES], { stdio: 'ignore' });
}

if (process.argv[1] === import.meta.filename) await writeTrust();
