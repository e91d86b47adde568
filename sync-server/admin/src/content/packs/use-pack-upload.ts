/** Brings a pack to the server: a small one with the request itself, a large one, such as one with videos, in pieces before it. */
import { t } from '@parley/i18n';
import { MAX_SENT_PACK_BYTES } from '@parley/contract';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../foundation/api/client.ts';
import { errorSentence } from '../../foundation/api/error-sentence.ts';
import { formatBytes } from '../../foundation/screen/format.ts';
import { findInterruptedUpload, refusalStatus, type RunningUpload, uploadFile } from '../video/upload-file.ts';
import type { UploadState } from '../video/use-video-upload.ts';
import type { PackToImport } from './pack-client.ts';

/** Connects the upload with this dialog, as a video's id does with its editor. */
const UPLOAD_NAME = 'pack';

export interface PackUpload {
  state: UploadState;
  choose: (file: File) => void;
  pause: () => void;
  resume: () => void;
  /** Deletes what the server has of the pack. */
  discard: () => void;
}

export function usePackUpload(onArrived: (pack: PackToImport) => void): PackUpload {
  const [state, setState] = useState<UploadState>({ status: 'idle' });
  const running = useRef<RunningUpload | null>(null);
  const uploadedId = useRef<string | null>(null);
  const refuse = (sentence: string): void => setState({ status: 'refused', sentence });

  async function deleteUpload(): Promise<void> {
    await running.current?.pause();
    running.current = null;
    const id = uploadedId.current;
    uploadedId.current = null;
    // What cannot be deleted now is deleted by the server in a week.
    if (id !== null) await client.media.cancel({ id }).catch(() => undefined);
    else await (await findInterruptedUpload(UPLOAD_NAME))?.forget();
  }
  useEffect(() => () => void deleteUpload(), []);

  async function choose(file: File): Promise<void> {
    await deleteUpload();
    setState({ status: 'idle' });
    if (file.size <= MAX_SENT_PACK_BYTES) return onArrived(file);
    const { maxFileBytes } = await client.media.usage({});
    if (file.size > maxFileBytes)
      return refuse(
        t('This file has {size}. A pack may have {limit} at most.', {
          size: formatBytes(file.size),
          limit: formatBytes(maxFileBytes),
        }),
      );
    setState({ status: 'uploading', fileName: file.name, sentBytes: 0, totalBytes: file.size, problem: null });
    running.current = await uploadFile(file, UPLOAD_NAME, {
      onProgress: (sentBytes, totalBytes) =>
        setState((now) => (now.status === 'uploading' ? { ...now, sentBytes, totalBytes } : now)),
      onArrived: (id) => {
        running.current = null;
        uploadedId.current = id;
        setState({ status: 'idle' });
        onArrived({ upload: id });
      },
      onFailed: (error) => {
        const status = refusalStatus(error);
        if (status === 507) refuse(t('There is no room for this pack. Ask the person who runs the server for more.'));
        else if (status >= 400 && status < 500) refuse(t('The server did not accept this file. Choose it again.'));
        else {
          const problem = t('The connection was lost. What has arrived is kept.');
          setState((now) => (now.status === 'uploading' ? { ...now, status: 'paused', problem } : now));
        }
      },
    });
  }

  return {
    state,
    choose: (file) => void choose(file).catch((error: unknown) => refuse(errorSentence(error))),
    pause: () => {
      setState((now) => (now.status === 'uploading' ? { ...now, status: 'paused', problem: null } : now));
      void running.current?.pause();
    },
    resume: () => {
      setState((now) => (now.status === 'paused' ? { ...now, status: 'uploading', problem: null } : now));
      running.current?.resume();
    },
    discard: () => {
      setState({ status: 'idle' });
      void deleteUpload();
    },
  };
}
