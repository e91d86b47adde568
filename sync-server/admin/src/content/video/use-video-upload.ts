/** The state of uploading a video, from choosing the file until the server has verified it. */
import { formatBytes, t } from '@parley/i18n';
import type { MediaRefusal, MediaView } from '@parley/contract';
import { joinSentences } from '@parley/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from '../../foundation/api/client.ts';
import { errorSentence } from '../../foundation/api/error-sentence.ts';
import { useLeaveWarning } from '../../foundation/screen/use-leave-warning.ts';
import { readVideo } from './read-video.ts';
import { findInterruptedUpload, refusalStatus } from './upload-file.ts';
import { type UploadState, useUpload } from './use-upload.ts';

export interface VideoUpload {
  state: UploadState;
  /** The name of a file whose upload began in an earlier visit. */
  interruptedName: string | null;
  choose: (file: File) => void;
  pause: () => void;
  resume: () => void;
  giveUp: () => void;
}

const REFUSALS: Readonly<Record<MediaRefusal, string>> = {
  not_video: t('This file isn’t a video. Choose an MP4 or WebM file.'),
  unsupported: t('Learners’ apps don’t play this kind of video. Save it as MP4 (H.264) or WebM, then choose it again.'),
  damaged: t('There’s no picture in this file. It may be damaged: save it again, then choose it again.'),
  too_long: t('This video is longer than six hours. Cut it into parts.'),
};
const DOES_NOT_PLAY = t(
  'This browser can’t play the file, so learners couldn’t either. Save it as MP4 (H.264) or WebM, then choose it again.',
);

export function useVideoUpload(videoId: string, onReady: (media: MediaView) => void): VideoUpload {
  const { state, setState, refuse, send, pause, resume, abandon } = useUpload();
  const queryClient = useQueryClient();
  const interrupted = useQuery({
    queryKey: ['interrupted-upload', videoId],
    queryFn: () => findInterruptedUpload(videoId),
    staleTime: 0,
  });

  // The server keeps the received part, and choosing the file again continues from there.
  useEffect(() => () => void abandon(), [abandon]);
  const isBusy = state.status !== 'idle' && state.status !== 'refused';
  useLeaveWarning(isBusy);

  async function verify(file: File, cover: string, id: string): Promise<void> {
    setState({ status: 'checking', fileName: file.name });
    try {
      const result = await client.media.finish({ id });
      if (result.status === 'refused') return refuse(REFUSALS[result.reason]);
      if (result.status === 'incomplete')
        return refuse(t('Part of the file was lost during the upload. Choose it again.'));
      // A missing cover must not prevent the upload.
      const covered = await client.media.saveCover({ id, picture: cover }).catch(() => result);
      queryClient.setQueryData(['media', id], covered.media);
      setState({ status: 'idle' });
      onReady(covered.media);
    } catch (error) {
      refuse(
        joinSentences(t, [errorSentence(error), t('Choose the file again. The upload continues where it stopped.')]),
      );
    } finally {
      void queryClient.invalidateQueries({ queryKey: ['interrupted-upload', videoId] });
    }
  }

  async function choose(file: File): Promise<void> {
    setState({ status: 'reading', fileName: file.name });
    const read = await readVideo(file);
    if (read === null) return refuse(DOES_NOT_PLAY);
    const { maxFileBytes, maxTotalBytes, usedBytes } = await client.media.usage({});
    if (file.size > maxFileBytes)
      return refuse(
        t('This file is {size}. A video may be {limit} at most.', {
          size: formatBytes(file.size),
          limit: formatBytes(maxFileBytes),
        }),
      );
    await send(file, videoId, {
      onArrived: (id) => void verify(file, read.cover, id),
      noRoom: {
        statuses: [413, 507],
        sentence:
          usedBytes + file.size > maxTotalBytes
            ? t(
                'There’s no space for this file: {used} of {total} are used. Ask the person who runs the server for more.',
                { used: formatBytes(usedBytes), total: formatBytes(maxTotalBytes) },
              )
            : t('The server has no space for this. Ask the person who runs it for more.'),
      },
      describeInterruption: (error) =>
        refusalStatus(error) === 0 && 'originalResponse' in Object(error)
          ? t('The connection was lost. What has arrived is kept.')
          : errorSentence(error),
    });
  }

  return {
    state,
    interruptedName: state.status === 'idle' ? (interrupted.data?.fileName ?? null) : null,
    choose: (file) => void choose(file).catch((error: unknown) => refuse(errorSentence(error))),
    pause,
    resume,
    giveUp: () =>
      void (async () => {
        await abandon();
        await (await findInterruptedUpload(videoId))?.forget();
        setState({ status: 'idle' });
        await interrupted.refetch();
      })(),
  };
}
