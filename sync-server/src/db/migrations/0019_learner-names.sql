CREATE INDEX "users_last_name_index" ON "users" USING btree ("last_name");--> statement-breakpoint
CREATE INDEX "users_last_name_desc_index" ON "users" USING btree ("last_name" desc nulls last);