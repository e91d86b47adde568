/** Every address of the app. Hash addresses work from any folder and any protocol. */
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { MAX_DRILL_CHARACTERS, SignInLink } from '@parley/contract';
import { z } from 'zod';
import { BriefingScreen, PractiseScreen } from '../catalogue/index.ts';
import { TodayScreen } from '../today/index.ts';
import { Frame } from './frame.tsx';
import { BrokenScreen, NotFoundScreen } from './fallback-screens.tsx';
import { SETTINGS_PARTS } from './show-settings-part.ts';

const rootRoute = createRootRoute({ component: Frame, notFoundComponent: NotFoundScreen });

const routes = [
  createRoute({ getParentRoute: () => rootRoute, path: '/', component: TodayScreen }),
  createRoute({ getParentRoute: () => rootRoute, path: '/practise', component: PractiseScreen }),
  createRoute({ getParentRoute: () => rootRoute, path: '/practise/$practiceId', component: BriefingScreen }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/microphone',
    validateSearch: z.object({ next: z.string().max(300).optional() }),
    component: lazyRouteComponent(() => import('../practice/index.ts'), 'MicrophoneCheckScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/session/$sessionId',
    /** `turnByTurn`: not as a call, though the learner likes calls. */
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
    path: '/history',
    component: lazyRouteComponent(() => import('../history/index.ts'), 'HistoryScreen'),
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
    /** The secret of a link that was opened. */
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
    path: '/settings',
    /** A part of the screen that another one leads to. */
    validateSearch: z.object({ part: z.enum(SETTINGS_PARTS).optional().catch(undefined) }),
    component: lazyRouteComponent(() => import('../settings/index.ts'), 'SettingsScreen'),
  }),
] as const;

export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  history: createHashHistory(),
  defaultErrorComponent: BrokenScreen,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
