/**
 * Routes each procedure of the contract to its feature. Neither this router nor the routes that it composes make any
 * decisions.
 */
import type { Router } from '@orpc/server';
import type { desktopContract, HostEvent, RepairOutcome, RestoreNotice, SwitchFailure } from '@parley/contract';
import { type AccountFeatures, createAccountRoutes } from './account-routes.ts';
import type { Blog } from './blog/index.ts';
import type { Catalogue } from './catalogue/index.ts';
import type { Courses } from './courses/index.ts';
import { streamOrThrow, unwrapOrThrow } from './error-policy.ts';
import type { History } from './history/index.ts';
import type { HostEvents } from './host-events.ts';
import { createHostProcedures, type HostContext, NEVER_ABORTED } from './host-procedures.ts';
import type { Logger } from './logger.ts';
import { checkMicrophone } from './microphone/index.ts';
import { createPracticeRoutes, type PracticeFeatures } from './practice-routes.ts';
import type { PracticeReports } from './practice-reports/index.ts';
import type { Progress } from './progress/index.ts';
import type { KeptRecordings } from './kept-recordings/index.ts';
import type { Review } from './review/index.ts';
import type { Settings } from './settings/index.ts';
import type { Shadowing } from './shadowing/index.ts';
import type { Crashes, Support } from './support/index.ts';
import type { Today } from './today/index.ts';
import type { Tray } from './tray/index.ts';
import type { SpeechPack } from './speech-pack/index.ts';
import type { VideoCopies } from './videos/index.ts';
import type { Voice } from './voice/index.ts';

export interface Features extends AccountFeatures, PracticeFeatures {
  catalogue: Catalogue;
  courses: Courses;
  videoCopies: VideoCopies;
  speechPack: SpeechPack;
  blog: Blog;
  practiceReports: PracticeReports;
  review: Review;
  progress: Progress;
  shadowing: Shadowing;
  history: History;
  today: Today;
  keptRecordings: KeptRecordings;
  voice: Voice;
  settings: Settings;
  support: Support;
  crashes: Crashes;
  tray: Tray;
  reportTimeZone: (timeZone: string) => void;
  events: HostEvents;
  about: () => {
    version: string;
    dataFolder: string;
    serverAddress: string | null;
    restoredFrom: Date | null;
    restoreNotice: RestoreNotice | null;
    wipedAt: Date | null;
    repaired: RepairOutcome | null;
    switchFailure: SwitchFailure | null;
    isSafeMode: boolean;
    hasTray: boolean;
  };
  dismissRestoreNotice: () => void;
  dismissWipeNotice: () => void;
  logger: Logger;
  newId: () => string;
}

const WAV_TYPE = 'audio/wav';
const toWav = (bytes: Uint8Array): Blob => new Blob([new Uint8Array(bytes)], { type: WAV_TYPE });

export function createRouter(features: Features): HostRouter {
  const { catalogue, courses, videoCopies, speechPack, blog, progress, keptRecordings, review, shadowing } = features;
  const { history, today, voice, settings, support, crashes, sync, tray, events, practice, practiceReports } = features;
  const os = createHostProcedures(features);
  return os.router({
    ...createPracticeRoutes(os, features),
    ...createAccountRoutes(os, features),
    catalogue: {
      practices: os.catalogue.practices.handler(() => catalogue.practices()),
      briefing: os.catalogue.briefing.handler(({ input, errors }) => {
        practice.prepare(input.practiceId);
        return unwrapOrThrow(errors, catalogue.briefing(input.practiceId));
      }),
      firstLine: os.catalogue.firstLine.handler(({ input }) => ({
        line: catalogue.firstLine(input.practiceId, settings.read().profile),
      })),
      coaches: os.catalogue.coaches.handler(() => catalogue.coaches()),
      industries: os.catalogue.industries.handler(() => catalogue.industries()),
    },
    courses: {
      list: os.courses.list.handler(() => courses.list()),
      read: os.courses.read.handler(({ input, errors }) => unwrapOrThrow(errors, courses.read(input))),
      enrol: os.courses.enrol.handler(({ input, errors }) => unwrapOrThrow(errors, courses.enrol(input))),
      leave: os.courses.leave.handler(({ input, errors }) => unwrapOrThrow(errors, courses.leave(input))),
      video: os.courses.video.handler(({ input, errors }) => unwrapOrThrow(errors, courses.video(input))),
      keepPosition: os.courses.keepPosition.handler(({ input }) => courses.keepPosition(input)),
      watched: os.courses.watched.handler(({ input, errors }) => unwrapOrThrow(errors, courses.watched(input))),
    },
    videos: {
      copy: os.videos.copy.handler(({ input }) => videoCopies.copy(input.videoId)),
      copies: os.videos.copies.handler(() => videoCopies.list()),
      keep: os.videos.keep.handler(({ input, errors }) => unwrapOrThrow(errors, videoCopies.keep(input.videoId))),
      remove: os.videos.remove.handler(({ input }) => videoCopies.remove(input.videoId)),
    },
    speechPack: {
      state: os.speechPack.state.handler(() => speechPack.state()),
      find: os.speechPack.find.handler(({ input, errors }) => unwrapOrThrow(errors, speechPack.find(input.address))),
      install: os.speechPack.install.handler(({ input, errors }) =>
        unwrapOrThrow(errors, speechPack.install(input.hash)),
      ),
      stop: os.speechPack.stop.handler(() => speechPack.stop()),
      remove: os.speechPack.remove.handler(() => speechPack.remove()),
      allowSlow: os.speechPack.allowSlow.handler(() => speechPack.allowSlow()),
    },
    blog: {
      list: os.blog.list.handler(({ input }) => blog.list(input)),
      post: os.blog.post.handler(({ input }) => blog.post(input.slug)),
      unread: os.blog.unread.handler(() => ({ count: blog.unread() })),
      markRead: os.blog.markRead.handler(({ input }) => blog.markRead(input.id)),
      markAllRead: os.blog.markAllRead.handler(() => blog.markAllRead()),
    },
    reports: {
      send: os.reports.send.handler(({ input, errors }) => unwrapOrThrow(errors, practiceReports.send(input))),
    },
    review: {
      due: os.review.due.handler(() => review.due()),
      cards: os.review.cards.handler(({ input }) => review.cards(input)),
      ofSession: os.review.ofSession.handler(({ input }) => review.ofSession(input)),
      words: os.review.words.handler(({ input }) => review.words(input)),
      grade: os.review.grade.handler(({ input }) => review.grade(input)),
      undo: os.review.undo.handler(({ input, errors }) => unwrapOrThrow(errors, review.undo(input))),
      add: os.review.add.handler(({ input, errors }) => unwrapOrThrow(errors, review.add(input))),
      mark: os.review.mark.handler(({ input, errors }) => unwrapOrThrow(errors, review.mark(input))),
    },
    progress: {
      overview: os.progress.overview.handler(({ input }) => progress.overview(input)),
      sessions: os.progress.sessions.handler(({ input }) => progress.sessions(input)),
    },
    shadowing: {
      model: os.shadowing.model.handler(({ input, errors }) => unwrapOrThrow(errors, shadowing.model(input))),
    },
    history: {
      list: os.history.list.handler(({ input }) => history.list(input)),
      remove: os.history.remove.handler(({ input, errors }) => unwrapOrThrow(errors, history.remove(input))),
      restore: os.history.restore.handler(({ input, errors }) => unwrapOrThrow(errors, history.restore(input))),
    },
    today: { overview: os.today.overview.handler(() => today.overview()) },
    recordings: {
      read: os.recordings.read.handler(async ({ input, errors }) =>
        toWav(await unwrapOrThrow(errors, keptRecordings.readWav(input.recordingId))),
      ),
      place: os.recordings.place.handler(({ input }) => ({ place: keptRecordings.place(input.recordingId) })),
      keeping: os.recordings.keeping.handler(() => keptRecordings.keeping()),
      keep: os.recordings.keep.handler(({ input, errors }) => unwrapOrThrow(errors, keptRecordings.choose(input))),
    },
    voice: {
      speakLine: os.voice.speakLine.handler(async function* ({
        input,
        errors,
        signal = NEVER_ABORTED,
      }): AsyncGenerator<string, void> {
        for await (const pcm of streamOrThrow(errors, voice.streamUtterance(input, signal)))
          yield Buffer.from(pcm).toString('base64');
      }),
      speak: os.voice.speak.handler(async ({ input, errors }) =>
        toWav(await unwrapOrThrow(errors, voice.speak(input))),
      ),
    },
    microphone: {
      check: os.microphone.check.handler(({ input, errors }) => unwrapOrThrow(errors, checkMicrophone(input.pcm))),
    },
    settings: {
      read: os.settings.read.handler(() => settings.read()),
      updateDevice: os.settings.updateDevice.handler(({ input }) => settings.updateDevice(omitUndefined(input))),
      updateProfile: os.settings.updateProfile.handler(({ input }) => settings.updateProfile(omitUndefined(input))),
    },
    sync: {
      status: os.sync.status.handler(() => sync.status()),
      run: os.sync.run.handler(() => sync.run()),
      rejected: os.sync.rejected.handler(() => sync.rejected()),
      dismissRejected: os.sync.dismissRejected.handler(({ input }) => sync.dismissRejected(input.id)),
    },
    support: {
      report: os.support.report.handler(() => support.report()),
      saveReport: os.support.saveReport.handler(({ errors }) => unwrapOrThrow(errors, support.saveReport())),
      repair: os.support.repair.handler(({ errors }) => unwrapOrThrow(errors, support.repair())),
      crashes: os.support.crashes.handler(() => crashes.list()),
      recordCrash: os.support.recordCrash.handler(({ input }) => crashes.record(input)),
      sendCrashes: os.support.sendCrashes.handler(({ input, errors }) =>
        unwrapOrThrow(errors, crashes.send(input.ids)),
      ),
      deleteCrashes: os.support.deleteCrashes.handler(() => crashes.deleteAll()),
      setSafeMode: os.support.setSafeMode.handler(({ input, errors }) =>
        unwrapOrThrow(errors, support.setSafeMode(input.isOn)),
      ),
    },
    tray: { setTexts: os.tray.setTexts.handler(({ input }) => tray.setTexts(input)) },
    app: {
      about: os.app.about.handler(() => features.about()),
      dismissRestoreNotice: os.app.dismissRestoreNotice.handler(() => features.dismissRestoreNotice()),
      dismissWipeNotice: os.app.dismissWipeNotice.handler(() => features.dismissWipeNotice()),
      reportTimeZone: os.app.reportTimeZone.handler(({ input }) => features.reportTimeZone(input.timeZone)),
      events: os.app.events.handler(async function* ({ signal }): AsyncGenerator<HostEvent, void> {
        yield* events.listen(signal);
      }),
    },
  });
}

export type HostRouter = Router<typeof desktopContract, HostContext>;

type Defined<Changes> = { [Name in keyof Changes]?: Exclude<Changes[Name], undefined> };

/** Removes fields whose value is `undefined`, so that they are not written. */
const omitUndefined = <Changes extends object>(changes: Changes): Defined<Changes> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Defined<Changes>;
