/** The frame around every screen: navigation, the signed-in admin, and the identity dialogs. */
import { t } from '@parley/i18n';
import { ORPCError } from '@orpc/client';
import { type AdminOverview, BRAND_STYLE_PATH } from '@parley/contract';
import { Banner, Trans } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { type ReactElement, useEffect, useSyncExternalStore } from 'react';
import { api, client, identity } from '../foundation/api/client.ts';
import { LongWord } from '../foundation/list/long-word.tsx';
import { formatNumber, personName } from '../foundation/screen/format.ts';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { setSchoolTimeZone } from '../foundation/screen/time-zone.ts';
import { countWaiting } from '../home/attention.ts';
import { SignInScreen } from '../sign-in/sign-in-screen.tsx';
import { IdentityDialog } from './identity-dialog.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { PanelIcon } from '../foundation/icon/panel-icon.tsx';
import { type Badge, NAVIGATION } from './navigation.ts';
import css from './frame.module.css';

const REFRESH_MS = 60_000;

export function Frame(): ReactElement {
  const overview = useQuery(api.admin.overview.queryOptions({ input: {}, refetchInterval: REFRESH_MS }));
  const need = useSyncExternalStore(identity.subscribe, identity.readNeed);
  const isForbidden = overview.error instanceof ORPCError && overview.error.code === 'auth.forbidden';
  if (overview.data === undefined) {
    if (need === 'sign_in') return <SignInScreen />;
    if (need !== null) return <IdentityDialog need={need} email={null} />;
    if (isForbidden) return <NotAnAdmin />;
    return overview.isError ? (
      <main className={css['alone']}>
        <ErrorBanner error={overview.error} onRetry={() => void overview.refetch()} />
      </main>
    ) : (
      <main className={css['alone']} aria-busy="true" />
    );
  }
  // This must precede the screens below, which format days and times.
  setSchoolTimeZone(overview.data.school.timeZone);
  return (
    <div className={css['app']}>
      <a className={css['skip']} href="#main">
        {t('Skip to content')}
      </a>
      <Navigation overview={overview.data} />
      <main className={css['main']} id="main" tabIndex={-1}>
        <div className={css['page']}>
          {isForbidden && (
            <Banner tone="error">
              {t(
                'You aren’t an admin of this server any more, so nothing that you change here is saved. Copy what you typed before you close this page.',
              )}
            </Banner>
          )}
          <Outlet />
        </div>
      </main>
      {need !== null && <IdentityDialog need={need} email={overview.data.me.email} />}
      <LeaveDialog />
    </div>
  );
}

function Navigation({ overview }: { overview: AdminOverview }): ReactElement {
  const { me, school, waiting } = overview;
  const badges: Readonly<Record<Badge, number>> = {
    all: countWaiting(waiting),
    mail: waiting.mail,
  };
  return (
    <nav className={css['rail']} aria-label={t('Admin')}>
      <div className={css['brand']}>
        <BrandMark school={school} />
        <span>
          Parley <small>{t('Admin')}</small>
        </span>
      </div>
      {NAVIGATION.map(({ to, title, icon, badge }) => {
        const number = badge === undefined ? 0 : badges[badge];
        return (
          <Link
            key={to}
            to={to}
            className={css['nav']}
            title={title}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
          >
            <PanelIcon name={icon} />
            <span>{title}</span>
            {number > 0 && (
              <b>
                <span aria-hidden="true">{formatNumber(number)}</span>
                <span className={css['hidden']}>
                  {t('{count, plural, one {# waiting} other {# waiting}}', { count: number })}
                </span>
              </b>
            )}
          </Link>
        );
      })}
      <div className={css['foot']}>
        <p>
          <bdi>{school.name}</bdi>
          <br />
          <Trans
            id="Signed in as <0>{name}</0>"
            values={{ name: personName(me) }}
            components={{ 0: <LongWord>{personName(me)}</LongWord> }}
          />
        </p>
        <SignOutButton />
      </div>
    </nav>
  );
}

/** The school's logo, or a bar and a dot in its colour where there is none. */
function BrandMark({ school: { colour, logo } }: { school: AdminOverview['school'] }): ReactElement {
  return (
    <>
      {colour !== null && <link rel="stylesheet" href={`${BRAND_STYLE_PATH}/${colour.slice(1)}.css`} />}
      {logo === null ? (
        <svg viewBox="0 0 18 24" width="18" height="24" aria-hidden="true">
          <path d="M5 4v16M14 11.500v1" stroke="var(--brand, var(--you))" strokeWidth="6" strokeLinecap="round" />
        </svg>
      ) : (
        <img className={css['logo']} src={logo.path} alt="" width={logo.width} height={logo.height} />
      )}
    </>
  );
}

/** On a shared computer, a failed sign-out must not look like a successful one. */
function useSignOut() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => client.web.signOut({}),
    onSuccess: () => {
      queryClient.clear();
      globalThis.location.assign('/admin');
    },
  });
}

function SignOutButton(): ReactElement {
  const signOut = useSignOut();
  return (
    <>
      <button type="button" className={css['signOut']} onClick={() => signOut.mutate()}>
        {t('Sign out')}
      </button>
      {signOut.isError && <span role="alert">{t('You’re still signed in. Try again when you’re connected.')}</span>}
    </>
  );
}

function NotAnAdmin(): ReactElement {
  useEffect(() => {
    document.title = t('Not an admin · Parley Admin');
  }, []);
  return (
    <main className={css['alone']}>
      <h1>{t('This account isn’t an admin')}</h1>
      <p>
        {t(
          'You’re signed in, but only admins can open this panel. Ask an admin of your school, or sign out and use another address.',
        )}
      </p>
      <p>
        {t(
          'If you run this server yourself, put your address into ADMIN_EMAILS, restart the server and sign in again.',
        )}
      </p>
      <p>
        <a href="/account">{t('Your account')}</a>
      </p>
      <SignOutButton />
    </main>
  );
}
