/** Runs in the page: puts texts into every field of what is shown at once, and looks what became of them. Knows only the document. */

export interface Given {
  /** The project that keeps its name. */
  readonly talker: string | null;
}

/** A text, how it has to stand there, and how it does as part of JSON. Crosses as JSON, so that half a pair crosses as it is. */
export type Payload = readonly [text: string, expected: string, asJson: string];

export interface Judged {
  /** Fields whose text is shown. */
  readonly shown: number;
  readonly snapshots: number;
  readonly tried: number;
  readonly faults: readonly string[];
}

declare global {
  interface Window {
    /** Ends after so many faults, or so many snapshots. */
    hostile: { judge(payloads: string, enough: number, most: number): Promise<Judged> };
  }
}

/** Self-contained: it crosses into the page as text. */
export async function prepareInPage({ talker }: Given): Promise<void> {
  const KEPT =
    /^(id|jobId|taskId|projectId|featureId|kind|key|status|lane|severity|mode|level|event|onError|roles?|.*At|at|asOf|artifact|commit|diff|day|doing|direction|sender|state|verdict|project)$/;
  const HIDDEN =
    /(?!\n|\t|\u200c|\u200d|[\ufe00-\ufe0f])(?:\p{Cc}|\p{Cs}|\p{Bidi_Control}|\p{Default_Ignorable_Code_Point})/u;
  const LOADS = /^(?:on.*|href|src|srcdoc|srcset|action|formaction|background|poster|data|ping|xlink:href|style)$/;
  const base = structuredClone(window.shown());
  Object.assign(base, { banner: { text: 'Banner', severity: 'info' } });
  const own = new WeakSet(document.querySelectorAll('html, head *, body > script, link'));

  /** Each text field, by its path. */
  type Fields = Map<string, string>;
  const filled = <Value>(whole: Value, texts: Fields | null, found: string[]): Value => {
    const fill = (value: unknown, key: string, path: string): unknown => {
      if (typeof value === 'string') {
        if (KEPT.test(key) || value === talker || value === 'default') return value;
        found.push(path);
        return texts?.get(path) ?? value;
      }
      if (key === 'points') return [];
      if (Array.isArray(value)) return value.map((entry, at) => fill(entry, key, `${path}.${at}`));
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, entry]) => [name, fill(entry, name, `${path}.${name}`)]),
      );
    };
    return fill(whole, '', '') as Value;
  };
  const fields: string[] = [];
  filled(base, null, fields);
  fields.push('live');

  const every = (root: Document | ShadowRoot): Element[] =>
    [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot === null ? [] : every(one.shadowRoot))]);
  const text = (): string => `${document.body.textContent}\n${document.title}`;
  const letters = (of: string): string => of.replace(/[^\p{L}\p{N}<>]/gu, '');
  const signature = (one: Element): string => {
    const names = one
      .getAttributeNames()
      .filter((name) => !/^(?:position|open|selected|focused|tabindex|value|aria-.*)$/.test(name));
    const style = one.getAttribute('style')?.replace(/[\d.]+/g, '#') ?? '';
    return `${one.localName}[${names.toSorted().join(' ')}]${style}`;
  };

  let revision = 0;
  const shown = async (texts: Fields): Promise<void> => {
    revision += 1;
    const mark = `mark${revision}mark`;
    const view = filled(base, texts, []);
    const banner = { text: `${view.banner?.text} ${mark}`, severity: 'info' } as const;
    const { details } = view;
    // A narrow card has the page for itself.
    const marked = details === null ? null : { ...details, description: `${details.description} ${mark}` };
    window.show({ ...view, banner, details: marked });
    const line = { at: '2026-11-22T10:00:00.000Z', jobId: 'job-1', text: texts.get('live') ?? '' };
    const lines = [4, 5, 7].map((featureId) => ({ ...line, sessionId: featureId, featureId }));
    window.send({ kind: 'live', lines: [...lines, { ...line, sessionId: 77, featureId: null }] });
    const until = performance.now() + 180_000;
    while (!document.body.textContent.includes(mark)) {
      if (performance.now() > until) throw new Error(`the page does not show snapshot ${revision} any more`);
      await new Promise((later) => setTimeout(later));
    }
    // Elements of the library come, and draw themselves, a moment later.
    const later = [...document.querySelectorAll(':not(:defined)')];
    await Promise.all(later.map(({ localName }) => customElements.whenDefined(localName)));
    await Promise.all(every(document).map((one) => (one as { updateComplete?: unknown }).updateComplete));
  };

  const known = new Set<string>();
  /** Parts of the page are loaded when they are first shown: until nothing new comes any more. */
  const learn = async (): Promise<void> => {
    let quiet = 0;
    while (quiet < 3) {
      // Its list is still being loaded, however long that takes.
      if (document.querySelector('.select-to-come') !== null) quiet = 0;
      const before = known.size;
      for (const one of every(document)) known.add(signature(one));
      quiet = known.size > before ? 0 : quiet + 1;
      await new Promise((later) => setTimeout(later, 30));
    }
  };
  const plain = (of: (at: number) => string): Fields => new Map(fields.map((path, at) => [path, of(at)]));
  // What harmless texts come to: words, many of them, and what is set as lists and code.
  const LONG = 'Words that go on for a while. '.repeat(250);
  const SET = '# Head\n\nWords **strong** `code`.\n\n- one\n- two\n  - three\n\n1. first\n\n```\ncode\n```\n';
  await shown(plain((at) => `${SET}${at}`));
  await learn();
  await shown(plain((at) => `${LONG}${at}`));
  await learn();
  await shown(plain((at) => `one\n\ntwo ${at}`));
  await learn();
  await shown(plain(() => '1'));
  await learn();
  await shown(plain((at) => `wq${at}z`));
  await learn();
  // An announcement for screen readers goes by itself, some time later.
  const announced = document.querySelector('[data-announcer]')?.textContent ?? '';
  const seen = announced === '' ? text() : text().replaceAll(announced, '');
  const places = fields.filter((_, at) => seen.includes(`wq${at}z`));

  const madeOfData = (): string[] =>
    every(document).flatMap((one) => {
      if (own.has(one)) return [];
      const made = known.has(signature(one)) ? [] : [`made of data: ${signature(one)}`];
      const loads = one
        .getAttributeNames()
        .filter((name) => LOADS.test(name) && /alert|example|invalid|url\(|script/i.test(one.getAttribute(name) ?? ''))
        .map((name) => `data in ${one.localName}[${name}]`);
      const hidden = ['aria-label', 'title', 'placeholder']
        .filter((name) => HIDDEN.test(one.getAttribute(name) ?? ''))
        .map((name) => `hidden in ${one.localName}[${name}]`);
      return [...made, ...loads, ...hidden];
    });

  const judgeOne = async (batch: readonly Payload[]): Promise<string[]> => {
    const texts: Fields = plain((at) => `wq${at}z`);
    const placed = batch.map(([payload, expected, asJson], at) => {
      const place = places[at] ?? '';
      texts.set(place, `${payload} ~${at}~`);
      return { place, expected: `${expected} ~${at}~`, asJson };
    });
    await shown(texts);
    const all = text();
    const lettersOfAll = letters(all);
    /** What is set as lists and code loses its marks, what is long its end. */
    const hasLetters = (of: string): boolean => lettersOfAll.includes(letters(of).slice(0, 2_000));
    const lacks = placed.filter(
      ({ expected, asJson }) => !all.includes(expected) && !hasLetters(expected) && !hasLetters(asJson),
    );
    return [
      ...lacks.map(({ place, expected }) => `${place} does not show ${JSON.stringify(expected.slice(0, 200))}`),
      ...(HIDDEN.test(all) ? [`hidden characters: ${JSON.stringify(HIDDEN.exec(all)?.[0])}`] : []),
      ...madeOfData(),
    ];
  };

  window.hostile = {
    judge: async (given, enough, most) => {
      const payloads = JSON.parse(given) as Payload[];
      const faults: string[] = [];
      let snapshots = 0;
      let from = 0;
      for (; from < payloads.length && faults.length < enough && snapshots < most; from += places.length) {
        faults.push(...(await judgeOne(payloads.slice(from, from + places.length))));
        snapshots += 1;
      }
      const tried = Math.min(from, payloads.length);
      return { shown: places.length, snapshots, tried, faults: faults.slice(0, enough) };
    },
  };
}
