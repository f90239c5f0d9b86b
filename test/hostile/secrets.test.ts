/** T14: secrets of every kind, in every encoding that is promised, on their way to everything that keeps, shows or sends texts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { anthropicProvider } from '../../src/adapters/gateway/wire/messagesWire.ts';
import { formsOf } from '../../src/core/guard/secretForms.ts';
import { printed, printsOf, recognize } from '../../src/core/guard/secretPrints.ts';
import { type WithoutSecrets, withoutSecrets } from '../../src/core/guard/secrets.ts';
import { planted } from '../support/suite/planted.ts';
import { buildWith } from '../support/suite/plantedBug.ts';
import { amount, figure, LONG, randomOf, SEED } from '../support/suite/proof.ts';
import { ANYBODYS, OWNERS, type Sink } from './secrets/sinks.ts';
import { type Canary, canaries, leaks, tokens } from './secrets/tokens.ts';

const TOKENS = tokens(amount({ short: 32, long: 5_000 }), randomOf(SEED));
const ALL = canaries(TOKENS);
const KNOWN = TOKENS.filter(({ promised }) => promised === 'known').map(({ secret }) => secret);
const IS_KNOWN = new Set(KNOWN);
const RECOGNIZED = KNOWN.slice(0, 4);
/** Of those that vendors marked, or their place gives away. */
const UNKNOWN = canaries(TOKENS.filter(({ promised }) => promised !== 'known'));
const BATCH = 100;

let checks = 0;
let leaked = 0;

const count = (put: readonly Canary[], found: readonly string[]): readonly string[] => {
  checks += put.length;
  leaked += found.length;
  return found;
};

/** As they would stand in something that is read: one after the other, with words between. */
async function throughSink(sink: Sink, put: readonly Canary[], given?: WithoutSecrets): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0; from < put.length; from += BATCH) {
    const batch = put.slice(from, from + BATCH);
    const known = [...new Set(batch.map(({ traces: [secret = ''] }) => secret))].filter((secret) =>
      IS_KNOWN.has(secret),
    );
    const clean = given ?? withoutSecrets(() => known);
    const written = await sink(
      batch.map(({ text }) => `It says: ${text} and goes on.`),
      clean,
      inject('tempRoot'),
    );
    found.push(...leaks(written, batch));
  }
  return found;
}

afterAll(() => {
  const aim = { atLeast: LONG ? 60_000 : 1_200 };
  figure({ method: 'T14', what: 'hostile inputs tried: secrets × encodings × sinks', value: checks, unit: '', aim });
  figure({ method: 'T14', what: 'secrets that left a trace', value: leaked, unit: '', aim: { atMost: 0 } });
});

describe(`a secret, seed ${SEED},`, () => {
  it.each(Object.entries(OWNERS))('leaves no trace in %s', async (_, sink) => {
    expect(count(ALL, await throughSink(sink, ALL))).toEqual([]);
  });

  it.each(Object.entries(ANYBODYS))('leaves no trace in %s', async (_, sink) => {
    expect(count(UNKNOWN, await throughSink(sink, UNKNOWN))).toEqual([]);
  });

  planted('a sink that cleans nothing', async () => {
    const put = ALL.slice(0, BATCH);
    const [sink] = Object.values(OWNERS);
    if (sink === undefined) throw new Error('there is no sink');
    expect(await throughSink(sink, put, (text) => text)).toHaveLength(put.length);
  });

  it('is taken out once: what stands in its place stays', () => {
    const clean = withoutSecrets(() => KNOWN.slice(0, 4));
    for (const { text } of ALL.slice(0, 300)) {
      const once = clean(text);
      expect(clean(once)).toBe(once);
    }
  });
});

type Finder = typeof printed;

/** Each form of a secret at the beginning, in the middle and at the end of a text, and twice in a row. */
function unseenForms(find: Finder, secrets: readonly string[]): string[] {
  const unseen: string[] = [];
  for (const secret of secrets) {
    const prints = printsOf(secret);
    for (const form of formsOf(secret)) {
      for (const text of [form, `data: ${form}`, `${form} more\n\n`, `data: ${form}${form} more\n\n`]) {
        const found = find(text, prints).map(({ from, to }) => text.slice(from, to));
        if (!found.includes(form)) unseen.push(`in ${text}`);
      }
    }
  }
  return unseen;
}

describe('the key', () => {
  it('is recognized by its prints alone, and nothing else is', () => {
    const secrets = KNOWN.slice(0, amount({ short: 4, long: 200 }));
    const unseen = unseenForms(printed, secrets);
    checks += secrets.length;
    leaked += unseen.length;
    expect(unseen).toEqual([]);
    const prints = secrets.flatMap(printsOf);
    const code = readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8');
    expect(printed(code, prints)).toEqual([]);
    expect(JSON.stringify(prints)).not.toContain(secrets[0]);
  });

  planted('sums that do not roll', async () => {
    const bug = { file: 'src/core/guard/secretPrints.ts', find: '    other.step(from);\n', put: '' };
    using built = await buildWith(bug, ['src/core/guard/secretPrints.ts']);
    const { printed: other } = (await import(built.program('secretPrints').href)) as { printed: Finder };
    expect(unseenForms(other, KNOWN.slice(0, 1))).not.toEqual([]);
  });

  it.each(Object.entries(ANYBODYS))('leaves no trace in %s of a thread that only recognizes it', async (_, sink) => {
    const put = ALL.filter(({ traces: [secret = ''] }) => RECOGNIZED.includes(secret));
    recognize(RECOGNIZED.flatMap(printsOf));
    expect(put.length).toBeGreaterThan(0);
    expect(count(put, await throughSink(sink, put))).toEqual([]);
  });

  it('does not come back from a server that quotes it, in headers and complaints; an answer comes unaltered', async () => {
    const { createServer } = await import('node:http');
    const [key = ''] = KNOWN;
    const forms = formsOf(key);
    const server = createServer((request, response) => {
      const status = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('status'));
      response.writeHead(status, { 'request-id': `for ${key}` });
      for (const form of forms) {
        response.write(`data: ${form.slice(0, 9)}`);
        response.write(`${form.slice(9)}\n\n`);
      }
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as { port: number };
      const provider = anthropicProvider({ baseUrl: `http://127.0.0.1:${port}`, key: async () => key });
      for (const status of [200, 400, 401, 500]) {
        const request = { method: 'POST', path: `/v1/messages?status=${status}`, headers: {}, body: '{}' };
        const reply = await provider.send(request as never, new AbortController().signal);
        const said = await new Response(reply.body).text();
        const quoted = (text: string) => forms.filter((form) => text.includes(form));
        expect(quoted(JSON.stringify(reply.headers))).toEqual([]);
        expect(quoted(said)).toEqual(status === 200 ? forms : []);
        if (status === 200) expect(printed(said, reply.secrets ?? []).length).toBeGreaterThanOrEqual(forms.length);
        checks += forms.length;
      }
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('what is no secret', () => {
  it('stays as it is in 99.5 % of the lines of code, ours and others', () => {
    const root = join(import.meta.dirname, '..', '..');
    const clean = withoutSecrets();
    const packages = [
      'src',
      ...(LONG ? ['node_modules/zod', 'node_modules/hono', 'node_modules/playwright-core'] : []),
    ];
    let lines = 0;
    const changed: string[] = [];
    for (const name of packages) {
      for (const entry of readdirSync(join(root, name), { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(?:[cm]?[jt]sx?|json|md)$/.test(entry.name)) continue;
        const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
        const all = text.split('\n');
        lines += all.length;
        if (clean(text) === text) continue;
        changed.push(...all.filter((line) => clean(line) !== line).map((line) => line.trim().slice(0, 160)));
      }
    }
    const share = Math.round((changed.length / lines) * 1e6) / 1e4;
    figure({
      method: 'T14',
      what: `lines of code taken for secrets, ${LONG ? 'ours and of big packages' : 'our own'}`,
      value: share,
      unit: '%',
      aim: { atMost: 0.5 },
    });
    expect(share, changed.slice(0, 20).join('\n')).toBeLessThan(0.5);
    expect(lines).toBeGreaterThan(50_000);
  });
});
