# replaced by the full install rules
