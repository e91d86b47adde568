/** Routes the account procedures: signing in, devices, export and import, plans, and the choice of server. */
import type { Account, Plans } from './account/index.ts';
import { unwrapOrThrow } from './error-policy.ts';
import type { HostProcedures } from './host-procedures.ts';
import type { ServerChoices } from './server-choice/index.ts';
import type { Exporter, Importer } from './transfer/index.ts';

export interface AccountFeatures {
  account: Account;
  exporter: Exporter;
  importer: Importer;
  plans: Plans;
  servers: ServerChoices;
}

export function createAccountRoutes(os: HostProcedures, features: AccountFeatures) {
  const { account, exporter, importer, plans, servers } = features;
  return {
    account: {
      state: os.account.state.handler(() => account.state()),
      requestSignIn: os.account.requestSignIn.handler(({ input, errors }) =>
        unwrapOrThrow(errors, account.requestSignIn(input.email)),
      ),
      signIn: os.account.signIn.handler(({ input, errors }) => unwrapOrThrow(errors, account.signIn(input))),
      signInByLink: os.account.signInByLink.handler(({ input, errors }) =>
        unwrapOrThrow(errors, account.signInByLink(input.link)),
      ),
      whoseLink: os.account.whoseLink.handler(({ input, errors }) =>
        unwrapOrThrow(errors, account.emailOfSignInLink(input.link)),
      ),
      signOut: os.account.signOut.handler(({ errors }) => unwrapOrThrow(errors, account.signOut())),
      requestAccess: os.account.requestAccess.handler(({ errors }) => unwrapOrThrow(errors, account.requestAccess())),
      requestConfirmation: os.account.requestConfirmation.handler(({ errors }) =>
        unwrapOrThrow(errors, account.requestConfirmation()),
      ),
      confirm: os.account.confirm.handler(({ input, errors }) => unwrapOrThrow(errors, account.confirm(input.code))),
      requestDeletion: os.account.requestDeletion.handler(({ errors }) =>
        unwrapOrThrow(errors, account.requestDeletion()),
      ),
      withdrawDeletion: os.account.withdrawDeletion.handler(({ errors }) =>
        unwrapOrThrow(errors, account.withdrawDeletion()),
      ),
      exportAll: os.account.exportAll.handler(() => exporter.exportAll()),
      createLinkCode: os.account.createLinkCode.handler(({ errors }) =>
        unwrapOrThrow(errors, account.createLinkCode()),
      ),
      join: os.account.join.handler(({ input, errors }) => unwrapOrThrow(errors, account.join(input.code))),
      devices: os.account.devices.handler(({ errors }) => unwrapOrThrow(errors, account.devices())),
      revokeDevice: os.account.revokeDevice.handler(({ input, errors }) =>
        unwrapOrThrow(errors, account.revokeDevice(input.deviceId)),
      ),
      deviceWipes: os.account.deviceWipes.handler(() => account.deviceWipes()),
      wipeDevice: os.account.wipeDevice.handler(({ input, errors }) =>
        unwrapOrThrow(errors, account.wipeDevice(input.deviceId)),
      ),
    },
    import: {
      begin: os.import.begin.handler(() => importer.begin()),
      append: os.import.append.handler(({ input, errors }) => unwrapOrThrow(errors, importer.append(input))),
      preview: os.import.preview.handler(({ input, errors }) => unwrapOrThrow(errors, importer.preview(input))),
      apply: os.import.apply.handler(({ input, errors }) => unwrapOrThrow(errors, importer.apply(input))),
      progress: os.import.progress.handler(({ input, errors }) => unwrapOrThrow(errors, importer.progress(input))),
      cancel: os.import.cancel.handler(({ input }) => importer.cancel(input)),
    },
    billing: {
      plans: os.billing.plans.handler(({ errors }) => unwrapOrThrow(errors, plans.plans())),
      invoices: os.billing.invoices.handler(({ errors }) => unwrapOrThrow(errors, plans.invoices())),
      startTrial: os.billing.startTrial.handler(({ errors }) => unwrapOrThrow(errors, plans.startTrial())),
      checkout: os.billing.checkout.handler(({ input, errors }) =>
        unwrapOrThrow(errors, plans.checkout(input.priceId)),
      ),
      portal: os.billing.portal.handler(({ errors }) => unwrapOrThrow(errors, plans.portal())),
    },
    server: {
      read: os.server.read.handler(() => servers.read()),
      check: os.server.check.handler(({ input, errors }) => unwrapOrThrow(errors, servers.check(input.url))),
      change: os.server.change.handler(({ input, errors }) => unwrapOrThrow(errors, servers.change(input))),
    },
  };
}
