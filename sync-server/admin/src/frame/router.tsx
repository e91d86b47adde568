/** Defines the panel's routes. A list keeps its state in the address. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { z } from 'zod';
import { listSearch } from '../foundation/list/list-search.ts';
import { HomeScreen } from '../home/home-screen.tsx';
import { ErrorScreen, NotFoundScreen } from './fallback-screens.tsx';
import { Frame } from './frame.tsx';

const rootRoute = createRootRoute({ component: Frame, notFoundComponent: NotFoundScreen });
/** The value of a filter in an address. */
const filter = z.string().max(100).optional().catch(undefined);

/** The list and the editor of one kind of content. */
const contentRoutes = <const Path extends string>(path: Path) =>
  [
    createRoute({
      getParentRoute: () => rootRoute,
      path,
      validateSearch: listSearch({ only: filter }),
      component: lazyRouteComponent(() => import('../content/index.ts'), 'ContentListScreen'),
    }),
    createRoute({
      getParentRoute: () => rootRoute,
      path: `${path}/$id` as const,
      // A report links to the step of the practice that it is about.
      validateSearch: z.object({ part: filter, step: filter }),
      component: lazyRouteComponent(() => import('../content/index.ts'), 'EditorScreen'),
    }),
  ] as const;

const routes = [
  createRoute({ getParentRoute: () => rootRoute, path: '/', component: HomeScreen }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/learners',
    validateSearch: listSearch({ only: filter }),
    component: lazyRouteComponent(() => import('../learners/index.ts'), 'LearnersScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/learners/invite',
    component: lazyRouteComponent(() => import('../learners/index.ts'), 'InviteScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/learners/$userId',
    component: lazyRouteComponent(() => import('../learners/index.ts'), 'LearnerScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/classes',
    validateSearch: listSearch({ state: filter }),
    component: lazyRouteComponent(() => import('../classes/index.ts'), 'ClassesScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/classes/$classId',
    validateSearch: listSearch({ only: filter }),
    component: lazyRouteComponent(() => import('../classes/index.ts'), 'ClassScreen'),
  }),
  ...contentRoutes('/courses'),
  ...contentRoutes('/practices'),
  ...contentRoutes('/coaches'),
  ...contentRoutes('/videos'),
  ...contentRoutes('/blog'),
  ...contentRoutes('/industries'),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/products',
    validateSearch: listSearch({ only: filter }),
    component: lazyRouteComponent(() => import('../products/index.ts'), 'ProductsScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/mail',
    validateSearch: listSearch({ state: filter }),
    component: lazyRouteComponent(() => import('../mail/index.ts'), 'MailScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reports',
    validateSearch: listSearch({ state: filter }),
    component: lazyRouteComponent(() => import('../reports/index.ts'), 'ReportsScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/crashes',
    validateSearch: listSearch({}),
    component: lazyRouteComponent(() => import('../crashes/index.ts'), 'CrashesScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/numbers',
    validateSearch: z.object({ weeks: z.enum(['4', '12', '52']).optional().catch(undefined) }),
    component: lazyRouteComponent(() => import('../numbers/index.ts'), 'NumbersScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('../settings/index.ts'), 'SettingsScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/settings/texts/$name',
    validateSearch: z.object({ language: filter }),
    component: lazyRouteComponent(() => import('../settings/index.ts'), 'SiteTextScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/audit',
    validateSearch: listSearch({ actor: filter, person: filter, act: filter, from: filter, until: filter }),
    component: lazyRouteComponent(() => import('../audit/index.ts'), 'AuditScreen'),
  }),
] as const;

export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  basepath: '/admin',
  defaultErrorComponent: ErrorScreen,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
