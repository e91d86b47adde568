export {
  INVOICE_STATES,
  type InvoiceCharge,
  type PaidInvoice,
  PaymentFailure,
  type Payments,
  type ProviderEvent,
  type ProviderInvoice,
  type ProviderPrice,
  type ProviderProduct,
  type ProviderSubscription,
} from './payments.ts';
