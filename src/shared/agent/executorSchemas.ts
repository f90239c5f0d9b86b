/** The forms of what is said about executors; who may be one is in `executors.ts`, which needs no library. */
import { z } from 'zod';
import { BUILT_IN, EXECUTOR_ROLES } from './executors.ts';

export const executorName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'lower case letters, digits and dashes, at most 32 of them');

/** By role; absent: the built-in agent. */
export const executorsSchema = z.partialRecord(z.enum(EXECUTOR_ROLES), executorName);

const text = z.string().min(1).max(1_000);
/** What a template may hold in braces; filled word by word, never by a shell. */
export const PLACEHOLDERS = ['prompt', 'model', 'url', 'token', 'clone', 'mcp'] as const;

const unknownIn = (template: string): string | undefined =>
  [...template.matchAll(/\{([a-z]+)\}/gi)].map(([, name = '']) => name).find((name) => !isPlaceholder(name));
const isPlaceholder = (name: string): boolean => PLACEHOLDERS.some((known) => known === name);

function template(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine((value) => unknownIn(value) === undefined, {
      error: ({ input }) => `there is no {${unknownIn(String(input))}}; there are: ${PLACEHOLDERS.join(', ')}`,
    });
}

const word = template(4_000);
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'no name of a variable');
/** Below a home. */
const pathBelow = z.string().regex(/^(?!\/)(?!.*\.\.)[\w./-]+$/, 'no path below the home');

/**
 * A line of the data file. `{url}` is our own model server of the session and `{token}` what opens it: no key of the
 * user's is ever in a template.
 */
export const agentEntrySchema = z.strictObject({
  title: text,
  /** How it is spoken to: the Agent Client Protocol over its stdio, or one command for each turn. */
  speaks: z.enum(['acp', 'command']),
  /** The first word is looked up on the PATH, never in the clone. */
  argv: z.array(word).min(1).max(64),
  /** Prints the version. */
  version: z.array(word).min(1).max(16).optional(),
  /** Its models: through us over the Messages API or the OpenAI chat protocol, or with an account of its own. */
  models: z.enum(['messages', 'chat', 'own']),
  env: z.record(variable, word).default({}),
  /** Variables that are set to the absolute path of a program, where it is found on the PATH. */
  programs: z.record(variable, text).default({}),
  /** Written into its private home before it starts: path from there, and content. */
  files: z.record(pathBelow, template(16_384)).default({}),
  /** Of an account of its own: paths from the user's home, copied into the private home and removed after. */
  login: z.array(pathBelow).max(16).default([]),
  /** Of an account of its own: `host:port` that it must reach. */
  hosts: z
    .array(z.string().regex(/^[\w.-]+:\d{1,5}$/))
    .max(32)
    .default([]),
  /** Of `acp`: the mode to ask for, where permission is asked of us. */
  mode: text.optional(),
  /** Of `command`: what stdout holds. `jsonl`: lines, of which the last with `field` counts. */
  output: z.enum(['text', 'json', 'jsonl']).default('text'),
  /** Of `json` and `jsonl`: the path of the final text, e.g. `result`. */
  field: text.optional(),
  /** Exit codes of `command` that mean something: `login` asks the user to sign in. */
  exits: z.record(z.string().regex(/^\d{1,3}$/), z.enum(['done', 'login', 'failed'])).default({}),
  /** Words in its complaints that mean: not signed in. */
  loginHint: text.optional(),
  /** How to sign in, e.g. `run codex login`. */
  signIn: text.optional(),
  /** How to get it, e.g. `npm install -g cline`. */
  install: text,
  /** Where to read about it. */
  url: z.url(),
});

/** By name. */
export const agentsSchema = z.record(
  executorName.refine((name) => name !== BUILT_IN),
  agentEntrySchema,
);

/** By role; absent: the built-in agent. */
export type Executors = Readonly<z.infer<typeof executorsSchema>>;

/** A line of the data file. */
export type AgentEntry = Readonly<z.infer<typeof agentEntrySchema>>;
/** By name. */
export type AgentEntries = Readonly<Record<string, AgentEntry>>;
