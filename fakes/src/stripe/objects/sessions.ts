/** Builds new checkout and portal sessions. */
import { mergeMetadata } from '../params/metadata.ts';
import type { ParamsOf } from '../params/param-schema.ts';
import type { checkoutCreate } from '../params/checkout.ts';
import type {
  CheckoutItemObject,
  CheckoutSessionObject,
  PortalSessionObject,
  PriceObject,
} from '../state/resources.ts';
import { newId } from '../store.ts';

interface CheckoutSessionFields {
  currency: string;
  total: number;
  customerEmail: string | null;
  expiresAt: number;
  url: string;
  now: number;
}

export function newCheckoutSession(
  params: ParamsOf<typeof checkoutCreate>,
  { currency, total, customerEmail, expiresAt, url, now }: CheckoutSessionFields,
): CheckoutSessionObject {
  const id = newId('cs_test_');
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: params.customer ?? null,
    customer_account: null,
    customer_creation: params.customer === undefined ? 'always' : null,
    customer_details: toCustomerDetails(customerEmail),
    customer_email: params.customer_email ?? null,
    discounts: [],
    expires_at: expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: params.locale ?? null,
    managed_payments: null,
    metadata: mergeMetadata({}, params.metadata),
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: params.payment_method_collection ?? 'always',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: total > 0 ? 'unpaid' : 'no_payment_required',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: {
      allow_redisplay_filters: ['always'],
      payment_method_remove: 'disabled',
      payment_method_save: null,
    },
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: params.success_url ?? null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${url}/checkout/${id}`,
    wallet_options: null,
  };
}

export const toCustomerDetails = (email: string | null): CheckoutSessionObject['customer_details'] =>
  email === null
    ? null
    : {
        address: null,
        business_name: null,
        email,
        individual_name: null,
        name: null,
        phone: null,
        tax_exempt: 'none',
        tax_ids: null,
      };

export const newCheckoutItem = (
  price: PriceObject,
  facts: { quantity: number; total: number; description: string; metadata: Record<string, string> },
): CheckoutItemObject => ({
  id: newId('li_'),
  object: 'item',
  adjustable_quantity: null,
  amount_discount: 0,
  amount_subtotal: facts.total,
  amount_tax: 0,
  amount_total: facts.total,
  currency: price.currency,
  description: facts.description,
  metadata: facts.metadata,
  price: structuredClone(price),
  quantity: facts.quantity,
});

/** All portal sessions share one configuration that allows everything. */
const CONFIGURATION_ID = 'bpc_FakeAllowsEverything';

export function newPortalSession(
  customer: string,
  facts: { returnUrl: string | null; locale: string | null; url: string; now: number },
): PortalSessionObject {
  const id = newId('bps_');
  return {
    id,
    object: 'billing_portal.session',
    configuration: CONFIGURATION_ID,
    created: facts.now,
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: facts.locale,
    on_behalf_of: null,
    return_url: facts.returnUrl,
    url: `${facts.url}/portal/${id}`,
  };
}
