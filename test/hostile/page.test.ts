/** T13: texts of a model or a repository in every view of the page: each stands there as the text it is, and does nothing. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { visible } from '../../webview-ui/src/ui/text/format.ts';
import { planted } from '../support/suite/planted.ts';
import { type PlantedBug, planting } from '../support/suite/plantedBug.ts';
import { amount, figure, LONG, randomOf, SEED } from '../support/suite/proof.ts';
import { type WebviewWorld, webviewWorld } from '../webview/browser.ts';
import { hostPage } from './page/hostPage.ts';
import { type Judged, prepareInPage } from './page/inPage.ts';
import { tryToLoad, WAYS } from './page/loads.ts';
import { HOSTILE, mutated } from './page/payloads.ts';
import { type PageView, VIEWS } from './page/views.ts';

/** The page under the host's own policy. */
const openWorld = (bugs: { readonly page?: PlantedBug; readonly host?: PlantedBug } = {}): Promise<WebviewWorld> =>
  webviewWorld(inject('tempRoot'), {
    plugins: bugs.page === undefined ? [] : [planting(bugs.page)],
    pageOf: (folder) => hostPage(inject('tempRoot'), folder, bugs.host ?? null),
  });

let opened: Promise<WebviewWorld> | null = null;
/** The page without a bug; planted ones have worlds of their own. */
const ours = (): Promise<WebviewWorld> => {
  opened ??= openWorld();
  return opened;
};
let tried = 0;
let faults = 0;

afterAll(async () => {
  await (await opened)?.[Symbol.asyncDispose]();
  const aim = { atLeast: LONG ? 25_000 : 1_000 };
  figure({ method: 'T13', what: 'hostile inputs tried: texts × views of the page', value: tried, unit: '', aim });
  const what = 'texts not shown as they are: dialogs, requests, elements of data, hidden characters';
  figure({ method: 'T13', what, value: faults, unit: '', aim: { atMost: 0 } });
});

async function judged(
  of: WebviewWorld,
  view: PageView,
  texts: readonly string[],
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly found: readonly string[]; readonly tried: number }> {
  const { narrow, sample, featureId, talker = null } = view;
  const size = narrow ? { width: 300, height: 900 } : { width: 1280, height: 800 };
  const { page, trouble } = await of.open(`view=${narrow ? 'sidebar' : 'board'}&cards=20&sample=${sample}`, size);
  await view.go?.(page);
  if (featureId !== undefined) await page.evaluate((of) => window.send({ kind: 'focus', featureId: of }), featureId);
  if (talker !== null) await page.evaluate((project) => window.send({ kind: 'talk', project }), talker);
  await page.evaluate(prepareInPage, { talker });
  const payloads = JSON.stringify(texts.map((text) => [text, visible(text), visible(JSON.stringify(text))]));
  const told: Judged = await page.evaluate(([given, bound]) => window.hostile.judge(given, 5, bound), [
    payloads,
    most,
  ] as const);
  const all = [...told.faults, ...(await trouble())];
  if (told.shown < 4) all.push(`only ${told.shown} fields are shown`);
  return { found: all, tried: told.tried };
}

/** Of the short form, in each view. */
const MOST_SNAPSHOTS = amount({ short: 2, long: Number.POSITIVE_INFINITY });

/** All of them; in the short form each view begins with others. */
function textsFor(view: PageView): readonly string[] {
  const from = LONG ? 0 : Math.floor((VIEWS.indexOf(view) * HOSTILE.length) / VIEWS.length);
  return [...HOSTILE.slice(from), ...HOSTILE.slice(0, from)];
}

describe('hostile text', () => {
  it('is of 500 kinds and more', () => {
    expect(new Set(HOSTILE.map(visible)).size).toBeGreaterThanOrEqual(500);
  });

  it.each(VIEWS)(`is shown as text and does nothing, seed ${SEED}: $name`, async (view) => {
    const more = mutated(amount({ short: 0, long: 20_000 / VIEWS.length }), randomOf(SEED));
    const told = await judged(await ours(), view, [...textsFor(view), ...more], MOST_SNAPSHOTS);
    tried += told.tried;
    faults += told.found.length;
    expect(told.found).toEqual([]);
  });

  planted('text set as HTML in one place', async () => {
    const page: PlantedBug = {
      file: 'webview-ui/src/job/card/Card.tsx',
      find: '<span className="tag" title={category}>\n        {category}\n      </span>',
      put: '<span className="tag" title={category} dangerouslySetInnerHTML={{ __html: category }} />',
    };
    await using other = await openWorld({ page });
    const [board] = VIEWS;
    if (board === undefined) throw new Error('there is no view');
    // Others of them would lead the page away.
    const texts = HOSTILE.filter((text) => /^<(?:img|svg|iframe) /.test(text));
    expect((await judged(other, board, texts)).found.join('\n')).toMatch(/made of data: (?:img|svg|iframe)\[/);
  });
});

/** Which of the ways out of a page that is taken over reach a server on this machine; `one` of them is waited for. */
async function waysOut(of: WebviewWorld, one: string | null = null): Promise<string[]> {
  const reached = new Set<string>();
  const server = createServer((request, response) => {
    reached.add((request.url ?? '').slice(1));
    response.writeHead(204).end();
  });
  server.on('upgrade', (request, socket) => {
    reached.add((request.url ?? '').slice(1));
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { page } = await of.open('view=board&cards=3');
    await page.evaluate(tryToLoad, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    if (one !== null) await expect.poll(() => [...reached], { timeout: 180_000 }).toContain(one);
    return [...reached];
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('a script in the page', () => {
  it('reaches nothing, this machine included', async () => {
    const out = await waysOut(await ours());
    tried += WAYS.length;
    faults += out.length;
    expect(out).toEqual([]);
  });

  planted('images of anywhere in the policy', async () => {
    const host: PlantedBug = {
      file: 'src/vscode/page/pageHtml.ts',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is looked for in code
      find: '`img-src ${webview.cspSource}`',
      put: "'img-src * data:'",
    };
    await using other = await openWorld({ host });
    expect(await waysOut(other, 'image')).toContain('image');
  });
});
