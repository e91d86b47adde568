/** The frame around every screen: navigation, status, and the notice that the host is gone. */
import { Button, EmptyState, Icon, type IconName } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatchRoute } from '@tanstack/react-router';
import { type ReactElement, useEffect } from 'react';
import { CommandPalette } from './command-palette.tsx';
import css from './frame.module.css';
import { useHost } from './host-context.tsx';
import iconUrl from './icon.svg';
import { useLiveQueries } from './live-queries.ts';
import { MinutesLeft } from './minutes-left.tsx';
import { StatusDot } from './status-dot.tsx';

const PLACES: readonly {
  to: '/' | '/practise' | '/drills' | '/history' | '/coach' | '/plan' | '/settings';
  title: string;
  icon: IconName;
}[] = [
  { to: '/', title: 'Today', icon: 'today' },
  { to: '/practise', title: 'Practise', icon: 'practise' },
  { to: '/drills', title: 'Drills', icon: 'drill' },
  { to: '/history', title: 'History', icon: 'history' },
  { to: '/coach', title: 'Coach', icon: 'coach' },
  { to: '/plan', title: 'Plan', icon: 'plan' },
  { to: '/settings', title: 'Settings', icon: 'settings' },
];

export function Frame(): ReactElement {
  useLiveQueries();
  useTheme();
  const isCall = useMatchRoute()({ to: '/session/$sessionId/call' }) !== false;
  if (isCall)
    return (
      <main id="main" className={css['whole']} tabIndex={-1}>
        <Outlet />
      </main>
    );
  return (
    <div className={css['frame']}>
      <a className={css['skip']} href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <aside className={css['sidebar']}>
        <p className={css['brand']}>
          <img src={iconUrl} alt="" width={28} height={28} />
          <span>Parley</span>
        </p>
        <nav aria-label="Main" className={css['nav']}>
          {PLACES.map(({ to, title, icon }) => (
            <Link key={to} to={to} className={css['link']} activeOptions={{ exact: to === '/' }} aria-label={title}>
              <Icon name={icon} />
              <span>{title}</span>
            </Link>
          ))}
        </nav>
        <MinutesLeft />
        <StatusDot />
      </aside>
      <main id="main" className={css['main']} tabIndex={-1}>
        <Outlet />
      </main>
      <CommandPalette />
    </div>
  );
}

/** The address bar belongs to the router: the link moves the focus, not the address. */
function skipToMain(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}

function useTheme(): void {
  const { queries } = useHost();
  const theme = useQuery(queries.settings.read.queryOptions()).data?.device.theme;
  useEffect(() => {
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
    else delete document.documentElement.dataset['theme'];
  }, [theme]);
}

export function HostGone(): ReactElement {
  return (
    <div className={css['gone']} role="alert">
      <EmptyState
        title="Parley has stopped"
        action={
          <Button look="primary" onPress={() => location.reload()}>
            Try to connect again
          </Button>
        }
      >
        Your words are safe on this computer. Start Parley again, then press the button.
      </EmptyState>
    </div>
  );
}
