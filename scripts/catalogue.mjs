/**
 * Writes assets/catalogue.json: prices of other providers' models, from the package `@pydantic/genai-prices`. Only exact names are taken:
 * a pattern would give a model of tomorrow the price of today's.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { findProvider } from '@pydantic/genai-prices';

const PROVIDERS = [
  'anthropic',
  'openai',
  'openrouter',
  'google',
  'deepseek',
  'mistral',
  'x-ai',
  'groq',
  'azure',
  'aws',
];
const FILE = new URL('../assets/catalogue.json', import.meta.url);
const PACKAGE = new URL('../node_modules/@pydantic/genai-prices/package.json', import.meta.url);

/** Version of the data, and the day from which on a price with a start date counts: that of the package's release. */
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
const DATE = '2026-09-23';

const namesOf = ({ id, match }) => [...new Set([id, ...exact(match)])];
const exact = (match) => ('equals' in match ? [match.equals] : (match.or ?? []).flatMap(exact));

/** Of several prices, the newest that has begun; prices by the time of day count as the highest. */
function pricesOf({ prices }) {
  if (!Array.isArray(prices)) return [prices];
  const dated = prices.filter(({ constraint }) => constraint === undefined || constraint.type === 'start_date');
  const begun = dated.filter(({ constraint }) => constraint === undefined || constraint.start_date <= DATE);
  const others = prices.filter((one) => !dated.includes(one));
  return [begun.at(-1) ?? dated[0], ...others].filter((one) => one !== undefined).map((one) => one.prices);
}

const at = (rate, tokens) => {
  if (typeof rate === 'number' || rate === undefined) return rate;
  return rate.tiers.findLast(({ start }) => tokens > start)?.price ?? rate.base;
};
const starts = (prices) =>
  Object.values(prices).flatMap((rate) => (typeof rate === 'object' ? rate.tiers.map(({ start }) => start) : []));

/** Tiers as `[upTo, input, output, cacheRead, cacheWrite]`; null if a price is missing or zero, which means unknown. */
function tiersOf(model) {
  const all = pricesOf(model);
  const ends = [...new Set(all.flatMap(starts))].sort((a, b) => a - b);
  const tiers = [...ends, null].map((upTo) => {
    const tokens = upTo ?? Number.MAX_SAFE_INTEGER;
    const most = (name) => {
      const rates = all.map((prices) => at(prices[name], tokens)).filter((rate) => rate !== undefined);
      return rates.length === 0 ? undefined : Math.max(...rates);
    };
    const input = most('input_mtok');
    const output = Math.max(most('output_mtok') ?? 0, most('output_reasoning_mtok') ?? 0);
    const write = most('cache_write_mtok');
    return [upTo, input, output, most('cache_read_mtok') ?? input, ...(write === undefined ? [] : [write])];
  });
  return tiers.every(([, input, output]) => input > 0 && output > 0) ? tiers : null;
}

const models = {};
for (const provider of PROVIDERS) {
  const of = {};
  for (const model of findProvider({ providerId: provider }).models) {
    const tiers = tiersOf(model);
    if (tiers === null) continue;
    for (const name of namesOf(model)) of[name] = { window: model.context_window ?? null, tiers };
  }
  models[provider] = Object.fromEntries(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)));
}
const lines = Object.entries(models).map(([provider, of]) => {
  const entries = Object.entries(of).map(([name, terms]) => `      ${JSON.stringify(name)}: ${JSON.stringify(terms)}`);
  return `    ${JSON.stringify(provider)}: {\n${entries.join(',\n')}\n    }`;
});
const text = `{\n  "source": "genai-prices ${version}",\n  "date": "${DATE}",\n  "models": {\n${lines.join(',\n')}\n  }\n}\n`;
if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== text)
    throw new Error('assets/catalogue.json is not up to date: npm run catalogue');
} else {
  writeFileSync(FILE, text);
}
