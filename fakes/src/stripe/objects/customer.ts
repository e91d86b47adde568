/** Builds new customers and cards. */
import { mergeMetadata } from '../params/metadata.ts';
import type { CustomerObject, PaymentMethodObject } from '../state/resources.ts';
import { newId } from '../store.ts';

interface NewCustomerFields {
  email?: string;
  name?: string;
  description?: string;
  metadata?: Record<string, string> | '';
}

export function newCustomer(customerFields: NewCustomerFields, now: number): CustomerObject {
  const id = newId('cus_');
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: customerFields.description ?? null,
    discount: null,
    email: customerFields.email ?? null,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: mergeMetadata({}, customerFields.metadata),
    name: customerFields.name ?? null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}

/** Fields of the test card on the payment method and on its charges. */
export const TEST_CARD = {
  brand: 'visa',
  country: 'US',
  exp_month: 12,
  exp_year: 2045,
  fingerprint: 'FakeTestCardOnly',
  funding: 'credit',
  last4: '4242',
  regulated_status: 'unregulated' as const,
};

const CARD_EXPIRES_YEARS = 4;

export const newCard = (customer: string | null, { email, now }: { email: string | null; now: number }) =>
  ({
    id: newId('pm_'),
    object: 'payment_method',
    allow_redisplay: 'always',
    billing_details: { address: null, email, name: null, phone: null, tax_id: null },
    card: {
      ...TEST_CARD,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      display_brand: 'visa',
      exp_year: new Date(now * 1_000).getUTCFullYear() + CARD_EXPIRES_YEARS,
      generated_from: null,
      networks: { available: ['visa'], preferred: null },
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: now,
    customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }) satisfies PaymentMethodObject;
