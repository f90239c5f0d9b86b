/** Schemas of executors and of the agents data file. `executors.ts` has the names that need no library. */
import { z } from 'zod';
import { BUILT_IN, EXECUTOR_ROLES } from './executors.ts';

export const executorName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'lower case letters, digits and dashes, at most 32 of them');

/** Executors by role. A role without an entry has the built-in agent. */
export const executorsSchema = z.partialRecord(z.enum(EXECUTOR_ROLES), executorName);

const text = z.string().min(1).max(1_000);
/** Placeholders of a template, written in braces. They are filled word by word, never by a shell. */
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
 * A line of the data file. `{url}` is the engine's model server for the session and `{token}` its token: a template never contains a key of the user.
 */
export const agentEntrySchema = z.strictObject({
  title: text,
  /** Protocol: the Agent Client Protocol over the agent's stdio, or one command for each turn. */
  speaks: z.enum(['acp', 'command']),
  /** The first word is looked up on the PATH, never in the clone. */
  argv: z.array(word).min(1).max(64),
  /** Prints the version. */
  version: z.array(word).min(1).max(16).optional(),
  /** Access to models: through the engine, by the Messages API or the OpenAI chat protocol, or by an account that belongs to the agent. */
  models: z.enum(['messages', 'chat', 'own']),
  env: z.record(variable, word).default({}),
  /** Variables that are set to the absolute path of a program, if it is found on the PATH. */
  programs: z.record(variable, text).default({}),
  /** Written into its private home before it starts: path from there, and content. */
  files: z.record(pathBelow, template(16_384)).default({}),
  /** For an agent with its own account: paths below the user's home, copied into the private home and removed afterwards. */
  login: z.array(pathBelow).max(16).default([]),
  /** For an agent with its own account: `host:port` that it must reach. */
  hosts: z
    .array(z.string().regex(/^[\w.-]+:\d{1,5}$/))
    .max(32)
    .default([]),
  /** For `acp`: the mode to request, in which the agent asks the engine for permission. */
  mode: text.optional(),
  /** For `command`: the format of stdout. In `jsonl`, the last line with `field` counts. */
  output: z.enum(['text', 'json', 'jsonl']).default('text'),
  /** For `json` and `jsonl`: the path of the final text, e.g. `result`. */
  field: text.optional(),
  /** Exit codes of `command` that mean something: `login` asks the user to sign in. */
  exits: z.record(z.string().regex(/^\d{1,3}$/), z.enum(['done', 'login', 'failed'])).default({}),
  /** Words in its complaints that mean: not signed in. */
  loginHint: text.optional(),
  /** The command to sign in, e.g. `run codex login`. */
  signIn: text.optional(),
  /** The command to install it, e.g. `npm install -g cline`. */
  install: text,
  /** Its documentation. */
  url: z.url(),
});

/** Lines by the agent's name. */
export const agentsSchema = z.record(
  executorName.refine((name) => name !== BUILT_IN),
  agentEntrySchema,
);

/** Executors by role. A role without an entry has the built-in agent. */
export type Executors = Readonly<z.infer<typeof executorsSchema>>;

/** A line of the data file. */
export type AgentEntry = Readonly<z.infer<typeof agentEntrySchema>>;
/** Lines by the agent's name. */
export type AgentEntries = Readonly<Record<string, AgentEntry>>;
