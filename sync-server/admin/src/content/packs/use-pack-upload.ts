/**
 * Sends a pack to the server: a small one in the request itself, a large one, such as one with videos, in pieces before
 * the request.
 */
import { formatBytes, t } from '@parley/i18n';
import { MAX_SENT_PACK_BYTES } from '@parley/contract';
import { useCallback, useEffect, useRef } from 'react';
import { client } from '../../foundation/api/client.ts';
import { errorSentence } from '../../foundation/api/error-sentence.ts';
import { findInterruptedUpload } from '../video/upload-file.ts';
import { type UploadState, useUpload } from '../video/use-upload.ts';
import type { PackToImport } from './pack-client.ts';

/** Associates the upload with this dialog, as a video's id does with its editor. */
const UPLOAD_NAME = 'pack';

export interface PackUpload {
  state: UploadState;
  choose: (file: File) => void;
  pause: () => void;
  resume: () => void;
  /** Deletes the pack from the server. */
  discard: () => void;
}

export function usePackUpload(onArrived: (pack: PackToImport) => void): PackUpload {
  const { state, setState, refuse, send, pause, resume, abandon } = useUpload();
  const uploadedId = useRef<string | null>(null);

  const deleteUpload = useCallback(async (): Promise<void> => {
    await abandon();
    const id = uploadedId.current;
    uploadedId.current = null;
    // If this fails, the server deletes the pack after a week.
    if (id !== null) await client.media.cancel({ id }).catch(() => undefined);
    else await (await findInterruptedUpload(UPLOAD_NAME))?.forget();
  }, [abandon]);
  useEffect(() => () => void deleteUpload(), [deleteUpload]);

  async function choose(file: File): Promise<void> {
    await deleteUpload();
    setState({ status: 'idle' });
    if (file.size <= MAX_SENT_PACK_BYTES) return onArrived(file);
    const { maxFileBytes } = await client.media.usage({});
    if (file.size > maxFileBytes)
      return refuse(
        t('This file is {size}. A pack may be {limit} at most.', {
          size: formatBytes(file.size),
          limit: formatBytes(maxFileBytes),
        }),
      );
    await send(file, UPLOAD_NAME, {
      onArrived: (id) => {
        uploadedId.current = id;
        setState({ status: 'idle' });
        onArrived({ upload: id });
      },
      noRoom: {
        statuses: [507],
        sentence: t('There’s no space for this pack. Ask the person who runs the server for more.'),
      },
      describeInterruption: () => t('The connection was lost. What has arrived is kept.'),
    });
  }

  return {
    state,
    choose: (file) => void choose(file).catch((error: unknown) => refuse(errorSentence(error))),
    pause,
    resume,
    discard: () => {
      setState({ status: 'idle' });
      void deleteUpload();
    },
  };
}
