/** The state of uploading a file in pieces, which the user can pause. */
import { t } from '@parley/i18n';
import { useCallback, useRef, useState } from 'react';
import { refusalStatus, type RunningUpload, uploadFile } from './upload-file.ts';

export type UploadState =
  | { status: 'idle' }
  | { status: 'reading' | 'checking'; fileName: string }
  | { status: 'uploading' | 'paused'; fileName: string; sentBytes: number; totalBytes: number; problem: string | null }
  | { status: 'refused'; sentence: string };

export interface SendOptions {
  /** All bytes have arrived; `id` is the upload's id. */
  onArrived: (id: string) => void;
  /** The statuses that mean that the server has no room, with the message for the user. */
  noRoom: { statuses: readonly number[]; sentence: string };
  /** The message when the upload pauses because of an error. */
  describeInterruption: (error: unknown) => string;
}

export interface Upload {
  state: UploadState;
  setState: (state: UploadState) => void;
  refuse: (sentence: string) => void;
  /** `name` associates the upload with its purpose, so that it is found again after a reload. */
  send: (file: File, name: string, options: SendOptions) => Promise<void>;
  pause: () => void;
  resume: () => void;
  /** Stops sending. The uploaded part stays on the server. */
  abandon: () => Promise<void>;
}

export function useUpload(): Upload {
  const [state, setState] = useState<UploadState>({ status: 'idle' });
  const running = useRef<RunningUpload | null>(null);
  const refuse = (sentence: string): void => setState({ status: 'refused', sentence });
  const showPaused = (problem: string | null): void =>
    setState((now) => (now.status === 'uploading' ? { ...now, status: 'paused', problem } : now));
  const abandon = useCallback(async (): Promise<void> => {
    await running.current?.pause();
    running.current = null;
  }, []);

  return {
    state,
    setState,
    refuse,
    send: async (file, name, { onArrived, noRoom, describeInterruption }) => {
      setState({ status: 'uploading', fileName: file.name, sentBytes: 0, totalBytes: file.size, problem: null });
      running.current = await uploadFile(file, name, {
        onProgress: (sentBytes, totalBytes) =>
          setState((now) => (now.status === 'uploading' ? { ...now, sentBytes, totalBytes } : now)),
        onArrived: (id) => {
          running.current = null;
          onArrived(id);
        },
        onFailed: (error) => {
          const status = refusalStatus(error);
          if (noRoom.statuses.includes(status)) refuse(noRoom.sentence);
          else if (status >= 400 && status < 500) refuse(t('The server didn’t accept this file. Choose it again.'));
          else showPaused(describeInterruption(error));
        },
      });
    },
    pause: () => {
      showPaused(null);
      void running.current?.pause();
    },
    resume: () => {
      setState((now) => (now.status === 'paused' ? { ...now, status: 'uploading', problem: null } : now));
      running.current?.resume();
    },
    abandon,
  };
}
