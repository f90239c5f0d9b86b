/** T13: texts of a model or a repository in every view of the page: each stands there as the text it is, and does nothing. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { visible } from '../../webview-ui/src/format.ts';
import { planted } from '../support/planted.ts';
import { type PlantedBug, planting } from '../support/plantedBug.ts';
import { amount, figure, LONG, PATIENCE_MS, randomOf, SEED } from '../support/proof.ts';
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

let world: WebviewWorld;
let tried = 0;
let faults = 0;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  const aim = { atLeast: LONG ? 25_000 : 6_500 };
  figure({ method: 'T13', what: 'hostile inputs tried: texts × views of the page', value: tried, unit: '', aim });
  const what = 'texts not shown as they are: dialogs, requests, elements of data, hidden characters';
  figure({ method: 'T13', what, value: faults, unit: '', aim: { atMost: 0 } });
});

async function judged(of: WebviewWorld, view: PageView, texts: readonly string[]): Promise<readonly string[]> {
  const { narrow, sample, featureId, talker = null } = view;
  const size = narrow ? { width: 300, height: 900 } : { width: 1280, height: 800 };
  const { page, trouble } = await of.open(`view=${narrow ? 'sidebar' : 'board'}&cards=20&sample=${sample}`, size);
  await view.go?.(page);
  if (featureId !== undefined) await page.evaluate((of) => window.send({ kind: 'focus', featureId: of }), featureId);
  if (talker !== null) await page.evaluate((project) => window.send({ kind: 'talk', project }), talker);
  await page.evaluate(prepareInPage, { talker });
  const payloads = JSON.stringify(texts.map((text) => [text, visible(text), visible(JSON.stringify(text))]));
  const found: Judged = await page.evaluate((given) => window.hostile.judge(given, 5), payloads);
  const all = [...found.faults, ...(await trouble())];
  await page.close();
  if (found.shown < 4) all.push(`only ${found.shown} fields are shown`);
  return all;
}

describe('hostile text', () => {
  it('is of 500 kinds and more', () => {
    expect(new Set(HOSTILE.map(visible)).size).toBeGreaterThanOrEqual(500);
  });

  it.each(VIEWS)(
    `is shown as text and does nothing, seed ${SEED}: $name`,
    { timeout: LONG ? PATIENCE_MS : 30_000 },
    async (view) => {
      const more = mutated(amount({ short: 0, long: 20_000 / VIEWS.length }), randomOf(SEED));
      const texts = [...(LONG ? HOSTILE : HOSTILE.slice(0, 520)), ...more];
      const found = await judged(world, view, texts);
      tried += texts.length;
      faults += found.length;
      expect(found).toEqual([]);
    },
  );

  planted('text set as HTML in one place', async () => {
    const page: PlantedBug = {
      file: 'webview-ui/src/board/Card.tsx',
      find: '<span className="tag" title={category}>\n        {category}\n      </span>',
      put: '<span className="tag" title={category} dangerouslySetInnerHTML={{ __html: category }} />',
    };
    await using other = await openWorld({ page });
    const [board] = VIEWS;
    if (board === undefined) throw new Error('there is no view');
    // Others of them would lead the page away.
    const texts = HOSTILE.filter((text) => /^<(?:img|svg|iframe) /.test(text));
    expect((await judged(other, board, texts)).join('\n')).toMatch(/made of data: (?:img|svg|iframe)\[/);
  });
});

/** Which of the ways out of a page that is taken over reach a server on this machine. */
async function waysOut(of: WebviewWorld): Promise<string[]> {
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
    await page.close();
    return [...reached];
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('a script in the page', () => {
  it('reaches nothing, this machine included', async () => {
    const out = await waysOut(world);
    tried += WAYS.length;
    faults += out.length;
    expect(out).toEqual([]);
  });

  planted('images of anywhere in the policy', async () => {
    const host: PlantedBug = {
      file: 'src/host/board/pageHtml.ts',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is looked for in code
      find: '`img-src ${webview.cspSource}`',
      put: "'img-src * data:'",
    };
    await using other = await openWorld({ host });
    expect(await waysOut(other)).toContain('image');
  });
});
