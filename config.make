
# sourced by nginx's configure after it wrote $NGX_MAKEFILE

cat << END >> $NGX_MAKEFILE

$NGX_OBJS/addon/prompt_schema/schema_text.c: \\
		$ngx_addon_dir/schema.graphql $ngx_addon_dir/tools/embed.sh
	HEADERS=prompt/schema_text.h sh $ngx_addon_dir/tools/embed.sh text \\
		prompt_schema_text $ngx_addon_dir/schema.graphql > \$@.tmp
	mv \$@.tmp \$@

END
