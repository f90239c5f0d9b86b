/** What helps a person who named a connection that does not exist. */
import { nearestName } from '../../text/nearest/nearestName.ts';

export interface KnownNames {
  readonly connections: readonly string[];
  readonly presets: readonly string[];
}

export function connectionHint(name: string, { connections, presets }: KnownNames): string {
  if (name === 'anthropic') return 'Anthropic needs no connection. Its key is checked by: autonomous doctor';
  if (presets.includes(name)) return `Add it: autonomous models add ${name}`;
  const near = nearestName(name, [...connections, ...presets]);
  if (near === null) return `A model is named CONNECTION/MODEL. Connections and presets: autonomous models list`;
  return connections.includes(near)
    ? `Did you mean ${near}?`
    : `Did you mean ${near}? Add it: autonomous models add ${near}`;
}
