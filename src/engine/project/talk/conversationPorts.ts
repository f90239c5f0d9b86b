/** What a project's conversation needs from outside. */

import type { Clock } from '../../../shared/clock.ts';
import type { LiveLine } from '../../../shared/live.ts';
import type { OpenTree, Transcript, TranscriptEntry } from '../../session/ports.ts';
import type { LoopStore } from '../../state/loopStore.ts';
import type { Problem } from '../../state/storePorts.ts';
import type { ConversationCalls } from '../threadPorts.ts';

/** The journal of a project's conversation: one for all its sessions and owners. */
export interface ConversationJournal extends Transcript {
  /** From the last beginning on: an opening, or what an older part was shortened to. */
  readonly entries: readonly TranscriptEntry[];
  /** Highest id of a message that it holds, shortened parts included; 0: none. */
  readonly heldUpTo: number;
  /** What could not be read, and was left out. */
  readonly problems: readonly Problem[];
  /** What it holds is kept in a dated file, and it begins anew with these: wholly, or not at all. */
  restart(entries: readonly TranscriptEntry[]): Promise<void>;
  close(): Promise<void>;
}

export interface MemoryStat {
  readonly kind: 'file' | 'folder';
  readonly bytes: number;
}

/**
 * Text files below one folder. Paths are relative, with `/`, checked by `memoryPath`; the empty one is the folder itself. Links are
 * never followed: INVALID_INPUT. A file that is too large, too much of them, or no text: INVALID_INPUT, too.
 */
export interface MemoryFiles {
  /** null: nothing is there. */
  stat(path: string): Promise<MemoryStat | null>;
  /** By name; what is neither a file nor a folder is left out. */
  list(path: string): Promise<readonly ({ readonly name: string } & MemoryStat)[]>;
  /** null: no such file. */
  read(path: string): Promise<string | null>;
  /** Whole or not at all; folders on the way are made. */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

/** One folder that may be a skill. */
export interface SkillFolder {
  readonly name: string;
  /** Where it lies, for people. */
  readonly place: string;
  /** Its SKILL.md; null: there is none that is a plain file of a sensible size. */
  readonly text: string | null;
}

/** Folders of skills; those of the project first, then the workspace's, then the user's. */
export interface SkillFiles {
  folders(): Promise<readonly SkillFolder[]>;
  /** Paths of the files in a skill's folder, with `/`. */
  files(folder: SkillFolder): Promise<readonly string[]>;
  /** INVALID_INPUT for what leads out, is a link, is too large or no text; null: no such file. */
  read(folder: SkillFolder, path: string): Promise<string | null>;
}

export type ModelOf = Readonly<Record<'project' | 'main' | 'subagent' | 'summarizer', string>>;

export interface ConversationSettings {
  /** Size of the context, in tokens, at which old tool results are shed within a turn. */
  readonly shedAtTokens?: number;
  /** Size at which the older part is summed up before the next turn. */
  readonly compactAtTokens?: number;
}

export interface ConversationPorts {
  readonly projectId: string;
  readonly store: LoopStore;
  readonly clock: Clock;
  /** The repository that its file tools see. */
  readonly workdir: string;
  readonly memory: MemoryFiles;
  readonly skills: SkillFiles;
  readonly owner: ConversationCalls;
  /** Where the definition names no model. */
  readonly models: ModelOf;
  readonly settings: ConversationSettings;
  openJournal(): Promise<ConversationJournal>;
  /** Of a session of its own: a subagent's, a summarizer's. */
  openTranscript(sessionId: number): Promise<Transcript & { close(): Promise<void> }>;
  gatewayFetch(sessionId: number): typeof fetch;
  readonly openTree: OpenTree;
  live(line: LiveLine): void;
  /** One sentence, for people. */
  problem(text: string): void;
}

/** What a session of a conversation is: its row, and how deep below the conversation it is. */
export interface Speaker {
  readonly sessionId: number;
  /** 0: the conversation itself. */
  readonly depth: number;
}

export interface ConversationRun {
  readonly ports: ConversationPorts;
  readonly journal: ConversationJournal;
  readonly signal: AbortSignal;
}
