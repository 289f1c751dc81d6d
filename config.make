
# sourced by nginx's configure after it wrote $NGX_MAKEFILE

cat << END >> $NGX_MAKEFILE

$prompt_schema: $prompt_schema_deps
	HOSTCC="${HOSTCC:-$CC}" sh $ngx_addon_dir/tools/schema/make.sh \\
		$ngx_addon_dir/schema.graphql \$@

$NGX_OBJS/addon/prompt_gen/schema_number.c: \\
		$prompt_migrations $ngx_addon_dir/tools/embed.sh
	HEADERS=store/schema_version.h sh $ngx_addon_dir/tools/embed.sh count \\
		prompt_migrations_last $prompt_migrations > \$@.tmp
	mv \$@.tmp \$@

END
