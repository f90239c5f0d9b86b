/**
 * Converts a Messages API request of an external agent so that the gateway can price it. Options that only add to a request are left out; those that
 * cannot be left out without misleading the agent are refused. A function of the body alone. A body that needs no change stays the same, byte for
 * byte: a prompt that is sent twice must be identical to be read from the cache.
 */
import { repeatedKey } from '../text/repeatedKey.ts';

export interface ForeignRules {
  /** The session's own; answers for models that have no price. */
  readonly model: string;
  /** Limit of one answer, in tokens. */
  readonly maxTokens: number;
  readonly hasPrice: (model: string) => boolean;
}

/** `warnings`: the changes, described for people; the same text for the same cause. */
export type ForeignAnswer =
  | { readonly body: string; readonly warnings: readonly string[] }
  | { readonly refused: string };

/** Parameters with a known price. */
const PARAMETERS: ReadonlySet<string> = new Set(
  (
    'model max_tokens messages system tools cache_control stream context_management metadata output_config ' +
    'output_format service_tier stop_sequences temperature thinking tool_choice top_k top_p'
  ).split(' '),
);
/** Tools that the provider describes and the agent runs. All others with a separate type run at the provider. */
const CLIENT_TOOL = /^(custom|(bash|text_editor|memory)_\d{8})$/;
/** The provider thinks with no fewer. */
const LEAST_THINKING = 1_024;

/** Limit of content blocks in all: more would delay the gateway, which reads them for all threads. */
const MAX_BLOCKS = 100_000;

/** Betas by which the same body costs something else. */
const DEARER_BETA = /^(context-1m|fast-mode|fallback)/;

type Json = Readonly<Record<string, unknown>>;

class Refused extends Error {}

export function foreignRequest(text: string, rules: ForeignRules): ForeignAnswer {
  const body = parsedObject(text);
  if (body === null) return { refused: 'the request is not a JSON object' };
  const repeated = repeatedKey(text);
  if (repeated !== null) return { refused: `the request gives ${named(repeated)} twice in one object` };
  try {
    const seen = { blocks: 0 };
    refuseUnbounded(body['system'], seen);
    for (const message of listOf(body['messages'])) {
      seen.blocks++;
      refuseUnbounded(asObject(message)?.['content'], seen);
    }
    const warnings: string[] = [];
    const parts: readonly ((body: Json) => Json)[] = [
      (from) => withKnownParameters(from, warnings),
      (from) => withClientTools(from, warnings),
      (from) => withPricedModel(from, rules, warnings),
      (from) => withCeiling(from, rules.maxTokens),
    ];
    const clean = parts.reduce((from, part) => part(from), body);
    return { body: clean === body ? text : JSON.stringify(clean), warnings };
  } catch (thrown) {
    if (thrown instanceof Refused) return { refused: thrown.message };
    throw thrown;
  }
}

/** Returns the `anthropic-beta` header without values that change a price, or null if none remain. */
export function foreignBetas(header: string): string | null {
  const kept = header.split(',').filter((beta) => !DEARER_BETA.test(beta.trim()));
  return kept.length === 0 ? null : kept.join(',');
}

function parsedObject(text: string): Json | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null; // the caller returns the error for invalid JSON
  }
}

function asObject(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function without(body: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/** Shortens an external name for use in a message. */
function named(name: unknown): string {
  return String(name)
    .replace(/[^\w.:/-]+/g, ' ')
    .slice(0, 60);
}

/** Refuses content whose tokens the body does not bound, and tools that are added during a conversation. */
function refuseUnbounded(content: unknown, seen: { blocks: number }): void {
  for (const block of listOf(content)) {
    if (++seen.blocks > MAX_BLOCKS) throw new Refused(`a request may have ${MAX_BLOCKS} messages and blocks`);
    const { type, source, content: inner, tool, tool_changes } = asObject(block) ?? {};
    const added = asObject(asObject(tool)?.['definition']);
    if (added !== null && !isClientTool(added)) throw atProvider(added);
    refuseUnbounded(tool_changes, seen);
    const from = asObject(source)?.['type'];
    // Such a block may contain files, in fields that only it has.
    if (typeof type === 'string' && type.endsWith('_tool_result')) {
      throw new Refused('what a tool at the provider found cannot be used here: its price has no bound');
    }
    if (type === 'container_upload') throw new Refused('files at the provider cannot be used here: send their text');
    if (type === 'image' && from !== 'base64') {
      throw new Refused('an image by its address cannot be used here: send its data');
    }
    if (type === 'document' && from !== 'text' && from !== 'content') {
      throw new Refused('documents such as PDFs cannot be used here, their price has no bound: send their text');
    }
    refuseUnbounded(type === 'document' ? asObject(source)?.['content'] : inner, seen);
  }
}

function withKnownParameters(body: Json, warnings: string[]): Json {
  const unknown = Object.keys(body).filter((name) => !PARAMETERS.has(name));
  const tier = body['service_tier'];
  if (tier !== undefined && tier !== 'standard_only') unknown.push('service_tier');
  for (const name of unknown) warnings.push(`the parameter ${named(name)} was left out: what it costs is not known`);
  const known = unknown.length === 0 ? body : without(body, ...unknown);
  return withKnownEdits(known, warnings);
}

/** Edits that clear are free; others, such as compaction, cause calls that are priced separately. */
function withKnownEdits(body: Json, warnings: string[]): Json {
  const management = asObject(body['context_management']);
  const edits = listOf(management?.['edits']);
  const kept = edits.filter((edit) => String(asObject(edit)?.['type']).startsWith('clear_'));
  if (kept.length === edits.length) return body;
  warnings.push('changes of the context other than clearing were left out: what they cost is not known');
  if (kept.length === 0) return without(body, 'context_management');
  return { ...body, context_management: { ...management, edits: kept } };
}

function isClientTool({ type }: Json): boolean {
  return type === undefined || type === null || (typeof type === 'string' && CLIENT_TOOL.test(type));
}

function atProvider({ type }: Json): Refused {
  return new Refused(`the tool ${named(type)} cannot be used here: it runs at the provider at an unknown price`);
}

function withClientTools(body: Json, warnings: string[]): Json {
  const tools = listOf(body['tools']).map((tool) => asObject(tool) ?? {});
  const gone = tools.filter((tool) => !isClientTool(tool));
  if (gone.length === 0) return body;
  for (const { type } of gone)
    warnings.push(`the tool ${named(type)} was left out: it runs at the provider at an unknown price`);
  const choice = asObject(body['tool_choice']);
  const left = tools.filter(isClientTool);
  const forced = gone.find(({ name }) => choice?.['type'] === 'tool' && choice['name'] === name);
  if (forced !== undefined) throw atProvider(forced);
  if (left.length === 0 && choice?.['type'] === 'any') throw atProvider(gone[0] ?? {});
  if (left.length === 0) return without(body, 'tools', 'tool_choice');
  return { ...body, tools: withMarks(tools).map((tool) => without(tool, 'defer_loading', 'allowed_callers')) };
}

/** The remaining tools. The cache mark of a removed tool moves to the one before it. */
function withMarks(tools: readonly Json[]): Json[] {
  const kept: Json[] = [];
  for (const tool of tools) {
    const last = kept.at(-1);
    if (isClientTool(tool)) kept.push(tool);
    else if (asObject(tool['cache_control']) !== null && last !== undefined) {
      kept[kept.length - 1] = { cache_control: tool['cache_control'], ...last };
    }
  }
  return kept;
}

function withPricedModel(body: Json, { model, hasPrice }: ForeignRules, warnings: string[]): Json {
  const asked = body['model'];
  if (typeof asked !== 'string' || asked === model || hasPrice(asked)) return body;
  warnings.push(`the model ${named(asked)} has no price here: ${named(model)} answers for it`);
  return { ...body, model };
}

/** Thinking is part of the answer: its share of the shorter answer stays the same. */
function withCeiling(body: Json, ceiling: number): Json {
  const asked = body['max_tokens'];
  if (typeof asked !== 'number' || asked <= ceiling) return body;
  const lowered = { ...body, max_tokens: ceiling };
  const thinking = asObject(body['thinking']);
  const budget = thinking?.['budget_tokens'];
  if (typeof budget !== 'number') return lowered;
  const share = Math.min(Math.floor((budget / asked) * ceiling), ceiling - 1);
  if (share < LEAST_THINKING) return without(lowered, 'thinking');
  return { ...lowered, thinking: { ...thinking, budget_tokens: share } };
}
