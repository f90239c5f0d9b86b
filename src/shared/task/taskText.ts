/** Tasks as text: the result of reading one, and the list of templates. */
import type { TaskTemplate } from './tasks.ts';

/** Position in a text. Lines and columns count from 0. */
export interface TextSpan {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A fault in the text of a task. */
export interface TextFault extends TextSpan {
  readonly message: string;
}

export interface ReadTask {
  /** Null if the text does not have the form of a task. With faults, the task can be stored but not started. */
  readonly task: TaskTemplate | null;
  /** In the order of the text. */
  readonly faults: readonly TextFault[];
}

export interface ListedTemplate {
  readonly name: string;
  /** Empty where its file cannot be read. */
  readonly description: string;
  readonly origin: 'workspace' | 'user' | 'built-in';
}
