/** Defines the app's routes. Hash addresses work from any folder and with any protocol. */
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { MAX_DRILL_CHARACTERS, SignInLink } from '@parley/contract';
import { PRACTICE_DIFFICULTIES, SessionId, TurnId } from '@parley/domain';
import { z } from 'zod';
import { BriefingScreen, PractiseScreen } from '../catalogue/index.ts';
import { TodayScreen } from '../today/index.ts';
import { Frame } from './frame.tsx';
import { ErrorScreen, NotFoundScreen } from './fallback-screens.tsx';
import { SETTINGS_SECTIONS } from '../foundation/screen/settings-sections.ts';

const rootRoute = createRootRoute({ component: Frame, notFoundComponent: NotFoundScreen });

const routes = [
  createRoute({ getParentRoute: () => rootRoute, path: '/', component: TodayScreen }),
  createRoute({ getParentRoute: () => rootRoute, path: '/practise', component: PractiseScreen }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/practise/$practiceId',
    /** The course and section from which the practice was opened, and another difficulty than the learner's usual one. */
    validateSearch: z.object({
      difficulty: z.enum(PRACTICE_DIFFICULTIES).optional().catch(undefined),
      course: z.uuid().optional().catch(undefined),
      section: z.uuid().optional().catch(undefined),
    }),
    component: BriefingScreen,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/courses',
    component: lazyRouteComponent(() => import('../courses/index.ts'), 'CoursesScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/courses/$courseId',
    component: lazyRouteComponent(() => import('../courses/index.ts'), 'CourseScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/courses/$courseId/videos/$videoId',
    validateSearch: z.object({ section: z.uuid().optional().catch(undefined) }),
    component: lazyRouteComponent(() => import('../courses/index.ts'), 'VideoScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/microphone',
    validateSearch: z.object({ next: z.string().max(300).optional() }),
    component: lazyRouteComponent(() => import('../practice/index.ts'), 'MicrophoneCheckScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/session/$sessionId',
    /** `turnByTurn` overrides the learner's preference for realtime sessions. */
    validateSearch: z.object({ turnByTurn: z.boolean().optional() }),
    component: lazyRouteComponent(() => import('../practice/index.ts'), 'ConversationScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/session/$sessionId/call',
    component: lazyRouteComponent(() => import('../practice/index.ts'), 'CallScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/session/$sessionId/result',
    component: lazyRouteComponent(() => import('../practice/index.ts'), 'ResultScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/drills',
    component: lazyRouteComponent(() => import('../drill/index.ts'), 'DrillsScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/drills/say',
    validateSearch: z.object({ text: z.string().trim().min(1).max(MAX_DRILL_CHARACTERS).catch('Hello') }),
    component: lazyRouteComponent(() => import('../drill/index.ts'), 'SayScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/shadow',
    /** The text to shadow, and the turn of a session in which the learner said it; without a text, one is chosen. */
    validateSearch: z.object({
      text: z.string().trim().min(1).max(MAX_DRILL_CHARACTERS).optional().catch(undefined),
      session: SessionId.optional().catch(undefined),
      turn: TurnId.optional().catch(undefined),
    }),
    component: lazyRouteComponent(() => import('../shadowing/index.ts'), 'ShadowScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/review',
    /** Words to review at once, due or not. */
    validateSearch: z.object({ words: z.array(z.string().min(1).max(80)).min(1).max(10).optional().catch(undefined) }),
    component: lazyRouteComponent(() => import('../review/index.ts'), 'ReviewScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/progress',
    component: lazyRouteComponent(() => import('../progress/index.ts'), 'ProgressScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/history',
    component: lazyRouteComponent(() => import('../history/index.ts'), 'HistoryScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/blog',
    component: lazyRouteComponent(() => import('../blog/index.ts'), 'BlogScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/blog/$slug',
    component: lazyRouteComponent(() => import('../blog/index.ts'), 'PostScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/coach',
    component: lazyRouteComponent(() => import('../coach/index.ts'), 'CoachScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/plan',
    component: lazyRouteComponent(() => import('../account/index.ts'), 'PlanScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    /** The secret of the sign-in link that was opened. */
    validateSearch: z.object({ link: SignInLink.optional().catch(undefined) }),
    component: lazyRouteComponent(() => import('../account/index.ts'), 'SignInScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/waiting',
    component: lazyRouteComponent(() => import('../account/index.ts'), 'WaitingScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/welcome',
    validateSearch: z.object({ step: z.number().int().min(1).max(5).catch(1) }),
    component: lazyRouteComponent(() => import('../welcome/index.ts'), 'WelcomeScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/help',
    component: lazyRouteComponent(() => import('../help/index.ts'), 'HelpScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/update',
    component: lazyRouteComponent(() => import('../update/index.ts'), 'UpdateScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/connect',
    /** The address that a link leads to; the host checks it before it is used. */
    validateSearch: z.object({ server: z.string().max(400).catch('') }),
    component: lazyRouteComponent(() => import('../server-choice/index.ts'), 'ConnectScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/course-pack',
    /** The name of the file that was opened. */
    validateSearch: z.object({ file: z.string().max(300).catch('') }),
    component: lazyRouteComponent(() => import('../course-pack/index.ts'), 'CoursePackScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/settings',
    /** The section to scroll to, when another screen links to it. */
    validateSearch: z.object({ part: z.enum(SETTINGS_SECTIONS).optional().catch(undefined) }),
    component: lazyRouteComponent(() => import('../settings/index.ts'), 'SettingsScreen'),
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
