/** Tasks as text: what reading one gives, and what templates there are. */
import type { TaskTemplate } from './tasks.ts';

/** Where something stands in a text. Lines and columns from 0. */
export interface TextSpan {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** What is wrong with the text of a task. */
export interface TextFault extends TextSpan {
  readonly message: string;
}

export interface ReadTask {
  /** null: it has not the form of a task. With faults all the same: it can be kept, and not be started. */
  readonly task: TaskTemplate | null;
  /** As they stand in the text. */
  readonly faults: readonly TextFault[];
}

export interface ListedTemplate {
  readonly name: string;
  /** Empty where its file cannot be read. */
  readonly description: string;
  readonly origin: 'workspace' | 'user' | 'built-in';
}
