/** The page for a browser without a session. */
import { t } from '@parley/i18n';
import { type ReactElement, useEffect } from 'react';
import { identity } from '../foundation/api/client.ts';
import css from '../frame/frame.module.css';
import { SignInForm } from './sign-in-form.tsx';

export function SignInScreen(): ReactElement {
  useEffect(() => {
    document.title = t('Sign in · Parley Admin');
  }, []);
  return (
    <main className={css['alone']}>
      <h1>{t('Sign in to the admin panel')}</h1>
      <p>{t('We send you a code by e-mail. There’s no password.')}</p>
      <SignInForm email="" onSignedIn={() => identity.settle(true)} />
    </main>
  );
}
