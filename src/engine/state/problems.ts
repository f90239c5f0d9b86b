/** Stores problems that ended nothing, and reports each text once to every listener. */

import { type WithoutSecrets, withoutSecrets } from '../../core/guard/secrets.ts';
import { firstProblems, problemText } from '../../core/text/problemText.ts';
import type { EngineListener } from './api.ts';
import type { Problem } from './storePorts.ts';

export class Problems {
  readonly #texts = new Set<string>();
  readonly #clean: WithoutSecrets;
  readonly #tell: (text: string) => void;

  constructor(tell: (text: string) => void, clean: WithoutSecrets = withoutSecrets()) {
    this.#clean = clean;
    this.#tell = tell;
  }

  add(problem: Problem | string): void {
    const text = this.#clean(typeof problem === 'string' ? problem : problemText(problem));
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    this.#tell(text);
  }

  get texts(): readonly string[] {
    return [...this.#texts];
  }

  /** Reports the first problems to a new listener. */
  sayTo(listener: EngineListener): void {
    for (const text of firstProblems(this.texts)) listener.problem?.(text);
  }
}
