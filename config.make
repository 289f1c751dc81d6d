
# sourced by nginx's configure after it wrote $NGX_MAKEFILE

cat << END >> $NGX_MAKEFILE

$NGX_OBJS/addon/prompt_sdl/sdl_text.c: \\
		$ngx_addon_dir/schema.graphql $ngx_addon_dir/tools/embed.sh
	HEADERS=prompt/sdl_text.h sh $ngx_addon_dir/tools/embed.sh text \\
		prompt_sdl_text $ngx_addon_dir/schema.graphql > \$@.tmp
	mv \$@.tmp \$@

$NGX_OBJS/addon/prompt_sdl/schema_number.c: \\
		$prompt_migrations $ngx_addon_dir/tools/embed.sh
	HEADERS=store/schema_version.h sh $ngx_addon_dir/tools/embed.sh count \\
		prompt_migrations_last $prompt_migrations > \$@.tmp
	mv \$@.tmp \$@

END
