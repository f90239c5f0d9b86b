/**
 * Builds the JSON Schema of a task's YAML, with descriptions, from the schemas that validate it: for the editor's own help, and for other YAML tools.
 */
import type { l10n as editorTexts } from 'vscode';
import { z } from 'zod';
import { PARAMS } from '../../../core/task/script/params.ts';
import { CUSTOM_ACTION } from '../../../shared/task/customAction.ts';
import { BUILT_IN_ACTIONS, templateSchema } from '../../../shared/task/tasks.ts';
import { paramTexts } from './paramTexts.ts';
import { actionTexts, parameterKeyTexts, stepKeyTexts, taskKeyTexts } from './taskTexts.ts';

/** As much of JSON Schema as these use. */
export interface SchemaNode {
  readonly description?: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly additionalProperties?: boolean | SchemaNode;
}

/** An action that another extension registered. */
export interface CustomAction {
  readonly name: string;
  readonly description: string;
  /** JSON Schema; null allows any value. */
  readonly params: object | null;
}

export interface TaskForm {
  readonly task: SchemaNode;
  readonly step: SchemaNode;
  readonly parameter: SchemaNode;
  /** Parameters and description of each action. */
  readonly actions: ReadonlyMap<string, { readonly description: string; readonly params: SchemaNode }>;
}

type L10n = Pick<typeof editorTexts, 't'>;

const jsonSchema = (schema: z.ZodType): SchemaNode => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest as SchemaNode;
};

function worded(node: SchemaNode, texts: Readonly<Record<string, string>>): SchemaNode {
  const properties = Object.entries(node.properties ?? {}).map(([key, value]) => {
    const description = texts[key] ?? value.description;
    return [key, description === undefined ? value : { ...value, description }] as const;
  });
  return { ...node, properties: Object.fromEntries(properties) };
}

export function taskForm(l10n: L10n, custom: readonly CustomAction[]): TaskForm {
  const task = worded(jsonSchema(templateSchema), taskKeyTexts(l10n));
  const named = task.properties ?? {};
  const does = actionTexts(l10n);
  const words = paramTexts(l10n);
  const builtIn = BUILT_IN_ACTIONS.map((name) => {
    return [name, { description: does[name], params: worded(jsonSchema(PARAMS[name]), words[name]) }] as const;
  });
  const others = custom.map(
    ({ name, description, params }) => [name, { description, params: (params ?? {}) as SchemaNode }] as const,
  );
  return {
    task,
    step: worded(named['steps']?.items ?? {}, stepKeyTexts(l10n)),
    parameter: worded((named['parameters']?.additionalProperties ?? {}) as SchemaNode, parameterKeyTexts(l10n)),
    actions: new Map([...builtIn, ...others]),
  };
}

/** A text that consists of one reference is allowed for any value. */
function orReference({ description, ...node }: SchemaNode): SchemaNode {
  if (node.type === 'string') return { ...node, ...(description === undefined ? {} : { description }) };
  const reference = { type: 'string', pattern: '^\\s*\\{\\{[^{}]+\\}\\}\\s*$' };
  return { ...(description === undefined ? {} : { description }), anyOf: [node, reference] };
}

const mapped = (nodes: SchemaNode['properties'] = {}, map: (node: SchemaNode) => SchemaNode) =>
  Object.fromEntries(Object.entries(nodes).map(([key, node]) => [key, map(node)]));

/** The schema as a file for other tools. Parameters of another extension's action follow the schema that the extension gave. */
export function taskJsonSchema(l10n: L10n): object {
  const { task, step, parameter, actions } = taskForm(l10n, []);
  const params = [...actions].map(([name, { description, params: node }]) => ({
    if: { properties: { action: { const: name } }, required: ['action'] },
    // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's own word.
    then: { properties: { params: { ...node, description, properties: mapped(node.properties, orReference) } } },
  }));
  const action = {
    ...step.properties?.['action'],
    anyOf: [{ enum: [...BUILT_IN_ACTIONS] }, { type: 'string', pattern: CUSTOM_ACTION.source }],
  };
  const items = { ...step, properties: { ...step.properties, action }, allOf: params };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Autonomous task',
    ...task,
    properties: {
      ...task.properties,
      steps: { ...task.properties?.['steps'], items },
      parameters: { ...task.properties?.['parameters'], additionalProperties: parameter },
    },
  };
}
