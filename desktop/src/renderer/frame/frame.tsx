/** The frame around every screen: navigation, sync status and the notice that the host has stopped. */
import { t } from '@parley/i18n';
import { Button, EmptyState, Icon, type IconName, Portrait } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatchRoute } from '@tanstack/react-router';
import { type ReactElement, Suspense, useEffect } from 'react';
import { CommandPalette } from './command-palette.tsx';
import css from './frame.module.css';
import { useHost } from '../foundation/host/host-context.tsx';
import {
  CrashBanner,
  MovedServerBanner,
  ObstacleBanner,
  NotMovedBanner,
  RestoredBanner,
  SafeModeBanner,
  WipedBanner,
} from '../help/index.ts';
import { Mark } from './mark.tsx';
import { useQueryInvalidation } from '../foundation/host/query-invalidation.ts';
import { FirstChoiceScreen, SwitchFailedBanner } from '../server-choice/index.ts';
import { RemainingMinutes } from './remaining-minutes.tsx';
import { StatusDot } from './status-dot.tsx';
import { OutdatedBanner } from '../update/index.ts';

interface NavigationItem {
  to: '/' | '/practise' | '/courses' | '/drills' | '/review' | '/progress' | '/history' | '/plan' | '/settings';
  title: string;
  icon: IconName;
}

const NAVIGATION_ITEMS: readonly NavigationItem[] = [
  { to: '/', title: t('Today'), icon: 'today' },
  { to: '/practise', title: t('Practise'), icon: 'practise' },
  { to: '/courses', title: t('Courses'), icon: 'course' },
  { to: '/drills', title: t('Drills'), icon: 'drill' },
  { to: '/review', title: t('Review'), icon: 'redo' },
  { to: '/progress', title: t('Progress'), icon: 'progress' },
  { to: '/history', title: t('History'), icon: 'history' },
];

const FOOT_ITEMS: readonly NavigationItem[] = [
  { to: '/plan', title: t('Plan'), icon: 'plan' },
  { to: '/settings', title: t('Settings'), icon: 'settings' },
];

const NavigationLink = ({ to, title, icon }: NavigationItem): ReactElement => (
  <Link to={to} className={css['link']} activeOptions={{ exact: to === '/' }} aria-label={title} title={title}>
    <Icon name={icon} />
    <span>{title}</span>
  </Link>
);

/** Opens the Coach screen, with the learner's coach as its picture. */
function CoachLink(): ReactElement {
  const { queries } = useHost();
  const agentId = useQuery(queries.settings.read.queryOptions()).data?.profile.agentId ?? null;
  const coaches = useQuery(queries.catalogue.coaches.queryOptions()).data;
  const coach = coaches?.find((candidate) => candidate.agentId === agentId);
  const label = coach === undefined ? t('Coach') : t('{name}, your coach', { name: coach.name });
  return (
    <Link to="/coach" className={css['link']} aria-label={label} title={label}>
      {coach === undefined ? (
        <Icon name="coach" />
      ) : (
        <Portrait name={coach.name} imageUrl={coach.avatarUrl} size={22} />
      )}
      <span>{label}</span>
    </Link>
  );
}

/** Opens the blog, with a dot while there are unopened posts. */
function BlogLink(): ReactElement {
  const { queries } = useHost();
  const unread = useQuery(queries.blog.unread.queryOptions()).data?.count ?? 0;
  const label =
    unread === 0 ? t('Blog') : t('Blog, {unread, plural, one {# new post} other {# new posts}}', { unread });
  return (
    <Link to="/blog" className={css['link']} aria-label={label} title={label}>
      <Icon name="blog" />
      <span>{t('Blog')}</span>
      {unread > 0 && <i className={css['unread']} aria-hidden="true" />}
    </Link>
  );
}

export function Frame(): ReactElement {
  useQueryInvalidation();
  useTheme();
  const matches = useMatchRoute();
  const { queries } = useHost();
  const server = useQuery(queries.server.read.queryOptions());
  if (server.isPending) return <></>;
  if (server.data?.mustChoose === true && matches({ to: '/connect' }) === false)
    return (
      <main id="main" className={css['main']} tabIndex={-1}>
        <Suspense>
          <FirstChoiceScreen choice={server.data} />
        </Suspense>
      </main>
    );
  const isFullScreen = matches({ to: '/session/$sessionId/call' }) !== false;
  if (isFullScreen)
    return (
      <main id="main" className={css['whole']} tabIndex={-1}>
        <Outlet />
      </main>
    );
  return (
    <div className={css['frame']}>
      <a className={css['skip']} href="#main" onClick={moveFocusToMain}>
        {t('Skip to content')}
      </a>
      <aside className={css['sidebar']}>
        <p className={css['brand']}>
          <Mark />
          <span>Parley</span>
        </p>
        <nav aria-label={t('Main')} className={css['nav']}>
          {NAVIGATION_ITEMS.map((item) => (
            <NavigationLink key={item.to} {...item} />
          ))}
          <div className={css['foot']}>
            <CoachLink />
            <BlogLink />
            {FOOT_ITEMS.map((item) => (
              <NavigationLink key={item.to} {...item} />
            ))}
          </div>
        </nav>
        <RemainingMinutes />
        <StatusDot />
      </aside>
      <main id="main" className={css['main']} tabIndex={-1}>
        <SafeModeBanner />
        <RestoredBanner />
        <SwitchFailedBanner />
        <WipedBanner />
        <NotMovedBanner />
        <MovedServerBanner />
        <ObstacleBanner />
        <OutdatedBanner />
        <CrashBanner />
        <Outlet />
      </main>
      <CommandPalette />
    </div>
  );
}

/** The router uses the hash, so the skip link moves the focus instead of changing the address. */
function moveFocusToMain(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}

const TEXT_SCALES = { normal: '1', large: '1.15', larger: '1.3' } as const;

function useTheme(): void {
  const { queries } = useHost();
  const device = useQuery(queries.settings.read.queryOptions()).data?.device;
  const theme = device?.theme;
  const textSize = device?.textSize ?? 'normal';
  useEffect(() => {
    document.documentElement.style.setProperty('--text-scale', TEXT_SCALES[textSize]);
  }, [textSize]);
  useEffect(() => {
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
    else delete document.documentElement.dataset['theme'];
  }, [theme]);
}

export function HostStoppedNotice(): ReactElement {
  return (
    <div className={css['gone']} role="alert">
      <EmptyState
        title={t('Parley has stopped')}
        picture="offline"
        action={
          <Button variant="primary" onPress={() => location.reload()}>
            {t('Try to connect again')}
          </Button>
        }
      >
        {t('Your work is safe on this computer. Restart Parley, then choose “Try to connect again”.')}
      </EmptyState>
    </div>
  );
}
