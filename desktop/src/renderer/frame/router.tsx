/** Defines the app's routes. Hash addresses work from any folder and with any protocol. */
import { createHashHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { isSignInLink, MAX_DRILL_CHARACTERS } from '@parley/contract';
import { ENGLISH_LEVELS, PRACTICE_DIFFICULTIES, type SessionId, type TurnId } from '@parley/domain';
import { PlanScreen, SignInScreen, WaitingScreen } from '../account/index.ts';
import { BlogScreen, PostScreen } from '../blog/index.ts';
import { BriefingScreen, PRACTICE_STYLE_FILTERS, PractiseScreen } from '../catalogue/index.ts';
import { CoachScreen } from '../coach/index.ts';
import { CoursePackScreen } from '../course-pack/index.ts';
import { CourseScreen, CoursesScreen, VideoScreen } from '../courses/index.ts';
import { DRILL_TABS, DrillsScreen, SayScreen } from '../drill/index.ts';
import { HelpScreen } from '../help/index.ts';
import { HistoryScreen } from '../history/index.ts';
import { CallScreen, ConversationScreen, MicrophoneCheckScreen, ResultScreen } from '../practice/index.ts';
import { ProgressScreen } from '../progress/index.ts';
import { ReviewScreen } from '../review/index.ts';
import { ConnectScreen } from '../server-choice/index.ts';
import { SettingsScreen } from '../settings/index.ts';
import { ShadowScreen } from '../shadowing/index.ts';
import { UpdateScreen } from '../update/index.ts';
import { WelcomeScreen } from '../welcome/index.ts';
import { TodayScreen } from '../today/index.ts';
import { Frame } from './frame.tsx';
import { ErrorScreen, NotFoundScreen } from './fallback-screens.tsx';
import { oneOf, optional, text, texts, uuid, wholeNumber } from './search-parameters.ts';
import { SETTINGS_SECTIONS } from '../foundation/screen/settings-sections.ts';

/** An address is untrusted, because it may come from anywhere. */
type Search = Readonly<Record<string, unknown>>;

const MAX_ADDRESS_CHARACTERS = 300;
/** Percent-encoding turns a character into up to three bytes of three characters each. */
const MAX_NEXT_CHARACTERS = 9 * MAX_DRILL_CHARACTERS + MAX_ADDRESS_CHARACTERS;

const rootRoute = createRootRoute({ component: Frame, notFoundComponent: NotFoundScreen });

const routes = [
  createRoute({ getParentRoute: () => rootRoute, path: '/', component: TodayScreen }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/practise',
    /** The filter of the practices. */
    validateSearch: ({ search, category, level, coach, maxMinutes, style }: Search) =>
      optional({
        search: text(search, MAX_ADDRESS_CHARACTERS),
        category: text(category, MAX_ADDRESS_CHARACTERS),
        level: oneOf(level, ENGLISH_LEVELS),
        coach: text(coach, MAX_ADDRESS_CHARACTERS),
        maxMinutes: wholeNumber(maxMinutes, { from: 1, to: 600 }),
        style: oneOf(style, PRACTICE_STYLE_FILTERS),
      }),
    component: PractiseScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/practise/$practiceId',
    /** The course and section from which the practice was opened, and a difficulty other than the learner's usual one. */
    validateSearch: ({ difficulty, course, section }: Search) =>
      optional({
        difficulty: oneOf(difficulty, PRACTICE_DIFFICULTIES),
        course: uuid<string>(course),
        section: uuid<string>(section),
      }),
    component: BriefingScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/courses',
    component: CoursesScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/courses/$courseId',
    component: CourseScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/courses/$courseId/videos/$videoId',
    validateSearch: ({ section }: Search) => optional({ section: uuid<string>(section) }),
    component: VideoScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/microphone',
    /** The address of the screen to go back to, which may contain a text to say. */
    validateSearch: ({ next }: Search) => optional({ next: text(next, MAX_NEXT_CHARACTERS) }),
    component: MicrophoneCheckScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/session/$sessionId',
    /** `turnByTurn` overrides the learner's preference for realtime sessions. */
    validateSearch: ({ turnByTurn }: Search) => optional({ turnByTurn: turnByTurn === true ? true : undefined }),
    component: ConversationScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/session/$sessionId/call',
    component: CallScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/session/$sessionId/result',
    component: ResultScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/drills',
    /** The tab that is shown. */
    validateSearch: ({ kind }: Search) => optional({ kind: oneOf(kind, DRILL_TABS) }),
    component: DrillsScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/drills/say',
    validateSearch: (search: Search) => ({ text: text(search['text'], MAX_DRILL_CHARACTERS) ?? 'Hello' }),
    component: SayScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/shadow',
    /**
     * The text to shadow, and the session turn in which the learner said it. Without a text, the learner chooses one.
     */
    validateSearch: (search: Search) =>
      optional({
        text: text(search['text'], MAX_DRILL_CHARACTERS),
        session: uuid<SessionId>(search['session']),
        turn: uuid<TurnId>(search['turn']),
      }),
    component: ShadowScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/review',
    /** Words to review at once, due or not. */
    validateSearch: ({ words }: Search) => optional({ words: texts(words, { maxCount: 10, maxCharacters: 80 }) }),
    component: ReviewScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/progress',
    component: ProgressScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/history',
    component: HistoryScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/blog',
    component: BlogScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/blog/$slug',
    component: PostScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/coach',
    component: CoachScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/plan',
    component: PlanScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    /** The secret of the sign-in link that was opened. */
    validateSearch: ({ link }: Search) => optional({ link: isSignInLink(link) ? link : undefined }),
    component: SignInScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/waiting',
    component: WaitingScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/welcome',
    validateSearch: ({ step }: Search) => ({ step: wholeNumber(step, { from: 1, to: 5 }) ?? 1 }),
    component: WelcomeScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/help',
    component: HelpScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/update',
    component: UpdateScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/connect',
    /** The address that a link leads to; the host checks it before it is used. */
    validateSearch: ({ server }: Search) => ({ server: text(server, 400) ?? '' }),
    component: ConnectScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/course-pack',
    /** The name of the file that was opened. */
    validateSearch: ({ file }: Search) => ({ file: text(file, MAX_ADDRESS_CHARACTERS) ?? '' }),
    component: CoursePackScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/settings',
    /** The section to scroll to, when another screen links to it. */
    validateSearch: ({ part }: Search) => optional({ part: oneOf(part, SETTINGS_SECTIONS) }),
    component: SettingsScreen,
  }),
] as const;

export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  history: createHashHistory(),
  defaultErrorComponent: ErrorScreen,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
