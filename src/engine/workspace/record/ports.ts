/** What an export is made of, and what an import goes into. */
import type { TranscriptEntry } from '../../session/ports.ts';

export interface RecordFile {
  readonly path: string;
  readonly data: Uint8Array;
}

export interface RecordFiles {
  /** Of the manifest: it names everything else. */
  readonly hash: string;
  /** By path, without the manifest. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface ExportPorts {
  readonly artifacts: {
    /** Null: missing, or altered. */
    get(name: string): Promise<string | null>;
    isName(text: string): boolean;
    nameOf(data: Uint8Array): string;
  };
  readonly kept: {
    /** Null: nothing is kept of the attempt. Throws STATE_DAMAGED. */
    get(attempt: number): Promise<{ readonly data: Uint8Array; readonly hash: string } | null>;
    hashOf(data: Uint8Array): string;
  };
  /** What was journaled of a session; empty: nothing, or not by this installation. */
  transcript(sessionId: number): Promise<readonly TranscriptEntry[]>;
  /** NOT_PERMITTED where something is there already; DISK. */
  write(files: readonly RecordFile[]): Promise<RecordFiles>;
}

export interface ImportPorts {
  /** Throws INVALID_INPUT: not ours, changed since, or of a newer format; NOT_FOUND. */
  read(path: string): Promise<RecordFiles>;
  readonly artifacts: {
    /** Stores the text, and returns its name. Throws DISK. */
    put(text: string): Promise<string>;
  };
  readonly kept: {
    /** Stores the work of the attempt. Throws DISK. */
    put(attempt: number, data: Uint8Array): Promise<unknown>;
    hashOf(data: Uint8Array): string;
  };
  openTranscript(sessionId: number): Promise<{
    /** Durable when it resolves. Throws DISK. */
    append(entry: TranscriptEntry): Promise<void>;
    close(): Promise<void>;
  }>;
  /** Throws INVALID_INPUT for a name that no project of ours has. */
  checkProjectName(name: string): unknown;
}
