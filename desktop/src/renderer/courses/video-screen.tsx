/** A video of a course, with a transcript that follows and seeks. It resumes where the learner stopped. */
import { t } from '@parley/i18n';
import { CoursePlace, videoCoverAddress, videoFileAddress, type VideoView } from '@parley/contract';
import { CourseId } from '@parley/domain';
import { Banner, Button, VideoCaptions } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { type ReactElement, useCallback, useRef, useState } from 'react';
import { outputDevice } from '../audio/index.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { Explanation } from '../foundation/language/explanations.tsx';
import { ErrorBanner, Loading, QueryView, Screen } from '../foundation/screen/screen.tsx';
import { ItemLink, itemTitle } from './course-parts.tsx';
import css from './courses.module.css';
import { OfflineCopy } from './offline-copy.tsx';
import { requestVideoFile } from './request-video-file.ts';
import { type VideoKey, videoQuery } from './video-query.ts';
import { VideoTranscript } from './video-transcript.tsx';

/** An address with an invalid id shows the same as one whose video is gone. */
const NO_PLACE = { courseId: CourseId.parse(crypto.randomUUID()), courseSectionId: crypto.randomUUID() };

export function VideoScreen(): ReactElement {
  const { queries } = useHost();
  const { courseId, videoId = '' } = useParams({ strict: false });
  const { section } = useSearch({ strict: false });
  const place = CoursePlace.safeParse({ courseId, courseSectionId: section }).data ?? NO_PLACE;
  const at = { ...place, videoId };
  const video = useQuery(videoQuery(queries, at));
  return (
    <Screen
      title={video.data?.video.title ?? t('Video')}
      {...(video.data === undefined ? {} : { intro: <Explanation english={video.data.video.description} /> })}
      action={
        <Link to="/courses/$courseId" params={{ courseId: place.courseId }}>
          {t('Back to the course')}
        </Link>
      }
    >
      <QueryView query={video} loadingLabel={t('Loading the video')}>
        {(view) => <Player key={videoId} view={view} at={at} />}
      </QueryView>
    </Screen>
  );
}

/** How often the position is stored while the video plays. */
const KEEP_EVERY_S = 5;

function Player({ view, at }: { view: VideoView; at: VideoKey }): ReactElement {
  const { client } = useHost();
  // A player does not report why it gets no video, so the file is requested before it is played and whenever playback
  // fails.
  const file = useQuery({
    queryKey: ['video-file', at.videoId],
    queryFn: ({ signal }) => requestVideoFile(at.videoId, signal),
    staleTime: 0,
    gcTime: 0,
  });
  const [hasFailed, setHasFailed] = useState(false);
  const isPlayable = file.isSuccess && !hasFailed;
  const player = useRef<HTMLVideoElement | null>(null);
  const keptS = useRef(view.positionS);
  const [atS, setAtS] = useState(view.positionS);
  const keep = (positionS: number): void => {
    keptS.current = positionS;
    // A position that could not be stored only means that the video starts earlier next time.
    client.courses.keepPosition({ videoId: at.videoId, positionS }).catch(() => undefined);
  };
  const onProgress = (positionS: number): void => {
    setAtS(positionS);
    if (Math.abs(positionS - keptS.current) >= KEEP_EVERY_S) keep(positionS);
  };
  const watched = useMutation({ mutationFn: () => client.courses.watched(at) });
  const onEnd = (): void => {
    keep(0);
    watched.mutate();
  };
  const onError = (): void => {
    setHasFailed(true);
    void file.refetch();
  };
  const attachToOutput = useCallback((video: HTMLVideoElement | null) => {
    player.current = video;
    return video === null ? undefined : outputDevice().attach(video).release;
  }, []);
  const retry = (): void => {
    setHasFailed(false);
    void file.refetch();
  };
  const seek = (seconds: number): void => {
    if (player.current === null) return;
    player.current.currentTime = seconds;
    player.current.play().catch(() => undefined);
  };
  return (
    <div className={css['watch']}>
      <div className={css['start']}>
        {isPlayable && (
          <video
            ref={attachToOutput}
            className={css['video']}
            src={videoFileAddress(at.videoId)}
            poster={videoCoverAddress(at.videoId)}
            controls
            aria-label={view.video.title}
            onError={onError}
            onLoadedMetadata={({ currentTarget }) => {
              if (keptS.current < currentTarget.duration) currentTarget.currentTime = keptS.current;
            }}
            onTimeUpdate={({ currentTarget }) => onProgress(currentTarget.currentTime)}
            onPause={({ currentTarget }) => {
              if (!currentTarget.ended) keep(currentTarget.currentTime);
            }}
            onEnded={onEnd}
          >
            <VideoCaptions transcript={view.transcript} />
          </video>
        )}
        {file.isError ? (
          <ErrorBanner error={file.error} onRetry={retry} />
        ) : (
          !isPlayable &&
          (file.isFetching ? (
            <Loading label={t('Loading the video')} comesFrom="download" />
          ) : (
            <UnplayableBanner onRetry={retry} />
          ))
        )}
        {watched.isError && <ErrorBanner error={watched.error} onRetry={() => watched.mutate()} />}
        <OfflineCopy videoId={at.videoId} />
        {view.next !== null && (
          <p>
            <ItemLink courseId={at.courseId} item={view.next}>
              {t('Next: {title}', { title: itemTitle(view.next) })}
            </ItemLink>
          </p>
        )}
      </div>
      <VideoTranscript text={view.transcript} atS={atS} onSeek={isPlayable ? seek : null} />
    </div>
  );
}

function UnplayableBanner({ onRetry }: { onRetry: () => void }): ReactElement {
  return (
    <Banner tone="error" action={<Button onPress={onRetry}>{t('Try again')}</Button>}>
      {t('This video couldn’t be played. Try again. If it fails again, tell your school.')}
    </Banner>
  );
}
