ALTER TABLE `sync_state` ADD `wipe_key` text;--> statement-breakpoint
ALTER TABLE `sync_state` ADD `wipe_key_sent_for` text;