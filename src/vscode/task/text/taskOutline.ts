/** Reads the content of a task's YAML leniently: for completion and hovers while it is edited. Independent of the editor. */
import { isMap, isScalar, isSeq } from 'yaml';
import { yamlDocument } from '../../../core/text/yamlDocument.ts';

export interface OutlinedStep {
  readonly name: string;
  readonly action: string;
}

export interface Outline {
  /** A step that has no name yet has an empty one. */
  readonly steps: readonly OutlinedStep[];
  /** Names of a template's parameters, with their descriptions. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Keys of the mapping at a path. */
  keysAt(path: readonly (string | number)[]): readonly string[];
}

export function outlineOf(text: string): Outline {
  const { document } = yamlDocument(text);
  const textAt = (path: readonly (string | number)[]): string => {
    const found = document.getIn(path);
    return typeof found === 'string' ? found : '';
  };
  const keysAt = (path: readonly (string | number)[]): string[] => {
    const found = path.length === 0 ? document.contents : document.getIn(path, true);
    return isMap(found) ? found.items.map(({ key }) => (isScalar(key) ? String(key.value) : String(key))) : [];
  };
  const steps = document.getIn(['steps'], true);
  return {
    steps: isSeq(steps)
      ? steps.items.map((_, at) => ({ name: textAt(['steps', at, 'name']), action: textAt(['steps', at, 'action']) }))
      : [],
    parameters: new Map(keysAt(['parameters']).map((name) => [name, textAt(['parameters', name, 'description'])])),
    keysAt,
  };
}
