/** Loads the file of a video through the host, part by part, as an address that the page can play. */
import type { CoursePlace } from '@parley/contract';
import { useEffect, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';

export type VideoFile =
  | { status: 'loading'; bytes: number; totalBytes: number | null }
  | { status: 'ready'; url: string }
  | { status: 'failed'; error: unknown };

const NOTHING: VideoFile = { status: 'loading', bytes: 0, totalBytes: null };

export function useVideoFile(at: CoursePlace & { videoId: string }): VideoFile & { retry: () => void } {
  const { client } = useHost();
  const { courseId, courseSectionId, videoId } = at;
  const [attempt, setAttempt] = useState(0);
  const [file, setFile] = useState<VideoFile>(NOTHING);
  useEffect(() => {
    let isGone = false;
    let url: string | null = null;
    const load = async (): Promise<void> => {
      const parts: Blob[] = [];
      let bytes = 0;
      let totalBytes = Infinity;
      while (bytes < totalBytes && !isGone) {
        const next = await client.courses.videoPart({ courseId, courseSectionId, videoId, from: bytes });
        if (next.part.size === 0) break;
        parts.push(next.part);
        bytes += next.part.size;
        totalBytes = next.totalBytes;
        if (!isGone) setFile({ status: 'loading', bytes, totalBytes });
      }
      if (isGone) return;
      url = URL.createObjectURL(new Blob(parts, { type: parts[0]?.type ?? '' }));
      setFile({ status: 'ready', url });
    };
    setFile(NOTHING);
    load().catch((error: unknown) => {
      if (!isGone) setFile({ status: 'failed', error });
    });
    return () => {
      isGone = true;
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [client, courseId, courseSectionId, videoId, attempt]);
  return { ...file, retry: () => setAttempt((before) => before + 1) };
}
