/** The account that a key belongs to, as a way to try the key. */
import { onlyExpand } from '../params/lists.ts';
import { route } from './route.ts';

export const accountRoute = route('GET /v1/account', onlyExpand, (world) => ({
  id: 'acct_StripeTwin00000',
  object: 'account',
  business_profile: {
    annual_revenue: null,
    estimated_worker_count: null,
    mcc: null,
    minority_owned_business_designation: null,
    name: 'Stripe twin: test mode, no real money',
    product_description: null,
    support_address: null,
    support_email: null,
    support_phone: null,
    support_url: null,
    url: null,
  },
  business_type: null,
  capabilities: { card_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  controller: { type: 'account' },
  country: 'US',
  created: world.now(),
  default_currency: 'usd',
  details_submitted: true,
  email: null,
  external_accounts: { object: 'list', data: [], has_more: false, url: '/v1/accounts/external_accounts' },
  future_requirements: NO_REQUIREMENTS,
  metadata: {},
  payouts_enabled: true,
  requirements: NO_REQUIREMENTS,
  settings: { dashboard: { display_name: 'Stripe twin', timezone: 'Etc/UTC' } },
  tos_acceptance: { date: null, ip: null, user_agent: null },
  type: 'standard',
}));

const NO_REQUIREMENTS = {
  alternatives: [],
  current_deadline: null,
  currently_due: [],
  disabled_reason: null,
  errors: [],
  eventually_due: [],
  past_due: [],
  pending_verification: [],
};
