delete from :schema.hotels where id = 'development';
